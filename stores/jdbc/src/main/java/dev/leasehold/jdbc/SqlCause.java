package dev.leasehold.jdbc;

import dev.leasehold.internal.http.TlsFailure;
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
    ACCESS_DENIED(
            "rejects this user or password",
            "Correct the user in the store URL and the password; docs/credentials.md lists the places for a password. The answer"
                    + " is the same for a user who must use TLS: add sslMode=verify-full and serverSslCert=..."),
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
    TLS_REQUIRED(
            "accepts only connections with TLS",
            "Add sslMode=verify-full and serverSslCert=... to the store URL; docs/credentials.md describes them"),
    NOT_ADMITTED(
            "does not accept this connection, because its rules do not admit it",
            "If that says 'no encryption', add sslmode=verify-full and sslrootcert=... to the store URL; otherwise add a rule to"
                    + " pg_hba.conf of the server"),
    NO_CLIENT_CERTIFICATE(
            "wants a certificate of its client that it trusts",
            "Name the certificate and its key in the store URL (sslcert and sslkey for PostgreSQL)"),
    UNREADABLE_KEY(
            "cannot be asked, because the certificate of the client or its key cannot be read",
            "Correct sslcert and sslkey in the store URL; a key in PEM that is not of RSA also needs pemKeyAlgorithm=EC"),
    NO_AUTHORITY(
            "cannot be checked, because the certificates to trust cannot be read",
            "Correct the path in the store URL (sslrootcert for PostgreSQL, serverSslCert for MariaDB and MySQL)"),
    ANOTHER_HOST(
            "has a TLS certificate for another host",
            "Correct the host in the store URL to one that the certificate names, or give the server a certificate for this host"),
    BAD_CERTIFICATE(
            "has no TLS certificate that this program trusts",
            "Name the certificate of its authority in the store URL (sslrootcert for PostgreSQL, serverSslCert for MariaDB and MySQL)"),
    TLS_FAILED("cannot agree on TLS with this program", "Check which versions of TLS the server permits, and its log"),
    UNKNOWN_HOST(
            "cannot be found, because no host has this name",
            "Correct the host in the store URL, or check the name service of this machine"),
    NO_SERVICE(
            "cannot be found, because the service file has no such service",
            "Correct the name in the store URL or in PGSERVICE; the file is the one that PGSERVICEFILE names, or"
                    + " ~/.pg_service.conf"),
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
        SqlCause told = ofMessage(String.valueOf(e.getMessage()));
        if (told != null) {
            return told;
        }
        if (e.getErrorCode() == 1045) {
            return ACCESS_DENIED;
        }
        String state = e.getSQLState();
        SqlCause found = state == null ? ofSqlite(e.getErrorCode()) : ofState(state);
        found = found == null && state != null ? ofMariaDb(e.getErrorCode()) : found;
        return found == null ? ofConnection(e) : found;
    }

    /** Where the code is the same for different causes. */
    private static @Nullable SqlCause ofMessage(String message) {
        if (message.contains("no password was provided") || message.contains("(using password: NO)")) {
            return NO_PASSWORD;
        }
        if (message.contains("no pg_hba.conf entry") || message.contains("pg_hba.conf rejects connection")) {
            return NOT_ADMITTED;
        }
        if (message.contains("requires a valid client certificate")) {
            return NO_CLIENT_CERTIFICATE;
        }
        if (message.contains("Unable to parse URL") && message.contains("?service=")) {
            return NO_SERVICE;
        }
        // The index of SQLite's log does not fit on the disk.
        return message.contains("SQLITE_IOERR_SHMSIZE") ? DISK_FULL : null;
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
            case 3159 -> TLS_REQUIRED;
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
            SqlCause ofTls = ofTls(at, message);
            if (ofTls != null) {
                return ofTls;
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

    private static @Nullable SqlCause ofTls(Throwable failure, String message) {
        if (message.contains("could not be verified by hostnameverifier")
                || message.contains("doesn't correspond to")) {
            return ANOTHER_HOST;
        }
        if (message.contains("SSL root certificate") || message.contains("serverSslCert")) {
            return NO_AUTHORITY;
        }
        if (message.contains("load the private key")
                || message.contains("SSL key file")
                || message.contains("SSL certificate file")) {
            return UNREADABLE_KEY;
        }
        if (!(failure instanceof SSLException)) {
            return null;
        }
        // What the server sends is its opinion of the client's certificate.
        boolean ofServer = message.contains("fatal alert");
        boolean certificate = TlsFailure.isAboutCertificate(failure) || message.contains("unknown_ca");
        return !certificate ? TLS_FAILED : ofServer ? NO_CLIENT_CERTIFICATE : BAD_CERTIFICATE;
    }
}
