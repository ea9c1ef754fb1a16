package dev.leasehold.jdbc;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a database refused a connection or a statement, as far as its error tells, and what to do about it. */
enum SqlCause {
    WRONG_PASSWORD(
            "rejects this user or password",
            "Correct the user in the store URL and the password; docs/credentials.md lists the places for a password"),
    NO_PASSWORD(
            "wants a password for this user, and none was given",
            "Write ?password-file=/path into the store URL, or set PGPASSWORD (PostgreSQL) or MYSQL_PWD (MariaDB, MySQL);"
                    + " docs/credentials.md lists the places for a password"),
    NO_DATABASE("has no such database", "Create the database, or correct its name in the store URL"),
    NO_RIGHTS(
            "does not give this user the right to do that",
            "Grant it; docs/credentials.md lists the rights that a store needs"),
    DISK_FULL("has no space left on its disk", "Make room on the disk of the database, and try again"),
    TOO_MANY_CONNECTIONS("accepts no more connections", "Raise its limit, or close other connections"),
    STARTING("is starting or stopping", "Try again in a moment"),
    NO_TLS(
            "does not offer TLS at this port",
            "Switch TLS on in the server, or remove the TLS option from the store URL"),
    BAD_CERTIFICATE(
            "has no TLS certificate that this program trusts",
            "Name the certificate of its authority in the store URL (sslrootcert for PostgreSQL, serverSslCert for MariaDB and MySQL)"),
    UNKNOWN_HOST(
            "cannot be found, because no host has this name",
            "Correct the host in the store URL, or check the name service of this machine"),
    NO_KEY(
            "needs TLS, or its public key, before it gets the password of this user",
            "Add sslMode=verify-full and serverSslCert=... to the store URL, or, in a network that you trust,"
                    + " allowPublicKeyRetrieval=true; see docs/credentials.md"),
    UNREACHABLE("cannot be reached", "Check that the server is running, and the host and port in the store URL"),
    READ_ONLY("cannot be written by this user", "Check the owner and the mode of its file and directory"),
    NO_FILE("cannot be opened as a file", "Check that its directory exists and may be read");

    private final String what;
    private final String remedy;

    SqlCause(String what, String remedy) {
        this.what = what;
        this.remedy = remedy;
    }

    String what() {
        return what;
    }

    String remedy() {
        return remedy;
    }

    /** Null if the error does not tell. */
    static @Nullable SqlCause of(SQLException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("no password was provided") || message.contains("(using password: NO)")) {
            return NO_PASSWORD;
        }
        String state = e.getSQLState();
        SqlCause found = state == null ? ofSqlite(e.getErrorCode()) : ofState(state);
        found = found == null && state != null ? ofMariaDb(e.getErrorCode()) : found;
        return found == null ? ofConnection(e) : found;
    }

    private static @Nullable SqlCause ofState(String state) {
        return switch (state) {
            case "28P01", "28000" -> WRONG_PASSWORD;
            case "3D000" -> NO_DATABASE;
            case "42501" -> NO_RIGHTS;
            case "53100" -> DISK_FULL;
            case "53300" -> TOO_MANY_CONNECTIONS;
            case "57P01", "57P03" -> STARTING;
            default -> null;
        };
    }

    private static @Nullable SqlCause ofMariaDb(int code) {
        return switch (code) {
            case 1698 -> WRONG_PASSWORD;
            case 1049 -> NO_DATABASE;
            case 1044, 1142, 1143, 1227 -> NO_RIGHTS;
            case 3, 1021, 1114 -> DISK_FULL;
            case 1040, 1203 -> TOO_MANY_CONNECTIONS;
            case 1053 -> STARTING;
            default -> null;
        };
    }

    /** The lowest eight bits are the primary code. */
    private static @Nullable SqlCause ofSqlite(int code) {
        return switch (code & 0xff) {
            case 13 -> DISK_FULL;
            case 3, 8 -> READ_ONLY;
            case 14 -> NO_FILE;
            default -> null;
        };
    }

    private static @Nullable SqlCause ofConnection(SQLException e) {
        Throwable at = e;
        for (int depth = 0; at != null && depth < 8; depth++) {
            String message = String.valueOf(at.getMessage());
            if (message.contains("does not support SSL") || message.contains("ssl not enabled in the server")) {
                return NO_TLS;
            }
            if (message.contains("RSA public key is not available")) {
                return NO_KEY;
            }
            if (at instanceof SSLException) {
                return BAD_CERTIFICATE;
            }
            if (at instanceof UnknownHostException) {
                return UNKNOWN_HOST;
            }
            if (at instanceof ConnectException || at instanceof NoRouteToHostException) {
                return UNREACHABLE;
            }
            at = at.getCause();
        }
        return null;
    }
}
