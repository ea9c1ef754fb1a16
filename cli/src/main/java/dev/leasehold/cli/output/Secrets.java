package dev.leasehold.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Passwords in store URLs: never shown, wherever a message takes them from. */
public final class Secrets {
    private static final String HIDDEN = "***";

    private Secrets() {}

    /** {@code scheme://user:***@host/...?***}; text that is no such URL stays as it is. */
    public static String withoutPassword(String url) {
        int authority = url.indexOf("://");
        if (authority < 0) {
            return url;
        }
        int query = url.indexOf('?', authority);
        String head = query < 0 ? url : url.substring(0, query);
        String tail = query < 0 ? "" : "?" + HIDDEN;
        int colon = head.indexOf(':', authority + 3);
        int at = head.lastIndexOf('@');
        return colon < 0 || at < colon
                ? head + tail
                : head.substring(0, colon + 1) + HIDDEN + head.substring(at) + tail;
    }

    /** What must not appear in any output because it is secret in this URL. */
    static List<String> in(String url) {
        List<String> secrets = new ArrayList<>();
        int authority = url.indexOf("://");
        if (authority < 0) {
            return secrets;
        }
        int query = url.indexOf('?', authority);
        String head = query < 0 ? url : url.substring(0, query);
        int colon = head.indexOf(':', authority + 3);
        int at = head.lastIndexOf('@');
        if (colon >= 0 && at > colon + 1) {
            secrets.add(head.substring(colon + 1, at));
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

    static String hide(String text, List<String> secrets) {
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
