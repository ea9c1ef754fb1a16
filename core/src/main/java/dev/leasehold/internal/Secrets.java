package dev.leasehold.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Hides the passwords in URLs of stores and targets from messages. */
public final class Secrets {
    private static final String HIDDEN = "***";

    private Secrets() {}

    /** {@code scheme://user:***@host/...?***}. Text that is not such a URL stays unchanged. */
    public static String withoutPassword(String url) {
        int authority = url.indexOf("://");
        if (authority < 0) {
            return url;
        }
        int query = url.indexOf('?', authority);
        String head = query < 0 ? url : url.substring(0, query);
        String tail = query < 0 ? "" : "?" + HIDDEN;
        int secret = startOfSecret(head, authority + 3);
        return secret < 0
                ? head + tail
                : head.substring(0, secret) + HIDDEN + head.substring(head.lastIndexOf('@')) + tail;
    }

    /**
     * The index where the password starts; it ends at the last {@code @}. Negative if there is
     * none.
     */
    private static int startOfSecret(String head, int authority) {
        int colon = head.indexOf(':', authority);
        int at = head.lastIndexOf('@');
        if (colon >= 0 && colon < at) {
            return colon + 1;
        }
        // A user name without a password in a web URL is an access token.
        int slash = head.indexOf('/', authority);
        boolean before = at > authority && (slash < 0 || at < slash);
        return before && head.startsWith("http") ? authority : -1;
    }

    /** The secrets in this URL, which must not appear in any output. */
    public static List<String> in(String url) {
        List<String> secrets = new ArrayList<>();
        int authority = url.indexOf("://");
        if (authority < 0) {
            return secrets;
        }
        int query = url.indexOf('?', authority);
        String head = query < 0 ? url : url.substring(0, query);
        int secret = startOfSecret(head, authority + 3);
        int at = head.lastIndexOf('@');
        if (secret >= 0 && at > secret) {
            secrets.add(head.substring(secret, at));
        }
        int from = query < 0 ? url.length() : query + 1;
        while (from < url.length()) {
            int ampersand = url.indexOf('&', from);
            int end = ampersand < 0 ? url.length() : ampersand;
            int equals = url.indexOf('=', from);
            if (equals >= 0 && equals + 1 < end && isSecretKey(url.substring(from, equals))) {
                secrets.add(url.substring(equals + 1, end));
            }
            from = end + 1;
        }
        return secrets;
    }

    public static String hide(String text, List<String> secrets) {
        String hidden = text;
        for (String secret : secrets) {
            hidden = hidden.replace(secret, HIDDEN);
        }
        return hidden;
    }

    private static boolean isSecretKey(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        return lower.contains("pass") || lower.contains("secret") || lower.contains("token") || lower.contains("key");
    }
}
