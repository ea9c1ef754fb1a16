package dev.leasehold.jdbc;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.StoreUnreachableException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a driver's error proves, and the message for it. No message contains the URL or the
 * password.
 */
final class SqlFailures {
    private static final int MAX_MESSAGE = 300;

    private SqlFailures() {}

    static StoreUnreachableException unreachable(String product, SQLException e) {
        SqlCause cause = SqlCause.of(e);
        return cause == null
                ? new StoreUnreachableException(
                        product + " cannot be opened or reached, so nothing was changed: " + inOneLine(e)
                                + ". Check the store URL, or try again later",
                        e)
                : new StoreUnreachableException(explained(product, cause, e), e);
    }

    static StoreUnavailableException failed(String product, boolean nothingHappened, SQLException e) {
        SqlCause cause = nothingHappened ? SqlCause.of(e) : null;
        if (cause != null) {
            return new StoreUnavailableException(explained(product, cause, e), e);
        }
        return nothingHappened
                ? new StoreUnavailableException(
                        product + " refused the statement, so nothing was changed: " + inOneLine(e), e)
                : new StoreUnavailableException(
                        product + " did not answer, so it is unknown whether the operation took effect: " + inOneLine(e)
                                + ". Check the server and the network",
                        e);
    }

    private static String explained(String product, SqlCause cause, SQLException e) {
        // The message of a driver does not name the host, and that of its cause is nothing but the name.
        String said = cause == SqlCause.UNKNOWN_HOST ? inOneLine(rootOf(e).getMessage()) : inOneLine(e);
        return product + " " + cause.what() + ", so nothing was changed: " + said + ". " + cause.remedy();
    }

    private static Throwable rootOf(Throwable e) {
        Throwable root = e;
        for (int depth = 0; depth < 8 && root.getCause() != null; depth++) {
            root = root.getCause();
        }
        return root;
    }

    /**
     * Whether the server itself reported that it did not run the statement: bad data (22),
     * constraints (23), authorization (28), rolled back (40), syntax and names (42), out of
     * resources (53), wrong state (55).
     */
    static boolean provesThatNothingHappened(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.matches("(0A|22|23|28|3D|3F|40|42|53|55|HY).*") && !state.equals("40003");
    }

    static boolean hasState(SQLException e, String... states) {
        for (String state : states) {
            if (state.equals(e.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    static String inOneLine(SQLException e) {
        return inOneLine(e.getMessage());
    }

    static String inOneLine(@Nullable String message) {
        String text = message == null ? "no reason given" : message.strip();
        int end = text.indexOf('\n');
        String first = (end < 0 ? text : text.substring(0, end))
                .replaceAll("[^\\x20-\\x7e]", "?")
                .replaceAll("[. ]+$", "");
        return first.length() <= MAX_MESSAGE ? first : first.substring(0, MAX_MESSAGE) + "...";
    }
}
