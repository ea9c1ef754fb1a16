package dev.leasehold.internal;

import java.util.Locale;

/** What to write in place of a URL that starts with {@code jdbc:}. A store URL names the same place in another form. */
public final class JdbcUrlHint {
    private static final String JDBC = "jdbc:";

    private JdbcUrlHint() {}

    public static boolean isJdbc(String url) {
        return url.regionMatches(true, 0, JDBC, 0, JDBC.length());
    }

    /** The store URL for this place, without user, password and options; empty if Leasehold cannot keep a store there. */
    public static String storeUrl(String jdbcUrl) {
        String url = jdbcUrl.substring(JDBC.length());
        int colon = url.indexOf(':');
        String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
        String place = place(url.substring(colon + 1));
        return switch (scheme) {
            case "postgresql", "mariadb", "mysql" -> scheme + ":" + withUser(place);
            case "sqlite" -> "sqlite:" + place;
            case "h2" -> "h2:" + (place.startsWith("file:") ? place.substring("file:".length()) : place);
            default -> "";
        };
    }

    /** Options, which may have the password, start at the first of these characters. */
    private static String place(String rest) {
        int end = rest.length();
        for (char separator : new char[] {'?', ';'}) {
            int at = rest.indexOf(separator);
            end = at < 0 ? end : Math.min(end, at);
        }
        return rest.substring(0, end);
    }

    private static String withUser(String place) {
        int host = Math.max(place.startsWith("//") ? 2 : 0, place.lastIndexOf('@') + 1);
        return "//USER@" + place.substring(host);
    }

    /** The whole message; it contains no password. */
    public static String message(String jdbcUrl) {
        String better = storeUrl(jdbcUrl);
        return "store URL is a JDBC URL: "
                + (better.isEmpty()
                        ? "write that of a store, without jdbc:"
                        : "write " + better
                                + (better.contains("USER@")
                                        ? ", and give the password as docs/credentials.md says"
                                        : ""));
    }
}
