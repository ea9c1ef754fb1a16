package dev.leasehold.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Hides the passwords in URLs of stores and targets from messages. */
public final class Secrets {
    private static final String HIDDEN = "***";

    /** A text of this length with a digit or a sign in it does not occur in a message by chance. */
    private static final int LONG = 6;

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
        int query = url.indexOf('?', Math.max(authority, 0));
        String head = query < 0 ? url : url.substring(0, query);
        int secret = authority < 0 ? -1 : startOfSecret(head, authority + 3);
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

    /**
     * Hides secrets where a URL or an option has them. A secret that could be part of an ordinary sentence is not hidden
     * elsewhere: a gap in the sentence would show it.
     */
    public static String hide(String text, List<String> secrets) {
        String hidden = text;
        for (String secret : secrets) {
            hidden = hide(hidden, secret);
        }
        return hidden;
    }

    private static String hide(String text, String secret) {
        if (cannotBeAWord(secret)) {
            return text.replace(secret, HIDDEN);
        }
        StringBuilder hidden = new StringBuilder();
        int from = 0;
        for (int at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, from)) {
            int end = at + secret.length();
            hidden.append(text, from, at).append(isValue(text, at, end) ? HIDDEN : secret);
            from = end;
        }
        return hidden.append(text, from, text.length()).toString();
    }

    private static boolean cannotBeAWord(String secret) {
        for (int i = 0; i < secret.length(); i++) {
            if (secret.length() >= LONG && !Character.isLetter(secret.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether this part of a text is between {@code :} or {@code //} and {@code @}, or the value after an equals sign. */
    private static boolean isValue(String text, int start, int end) {
        char before = start == 0 ? ' ' : text.charAt(start - 1);
        char after = end == text.length() ? ' ' : text.charAt(end);
        boolean ofUser = after == '@' && (before == ':' || before == '/');
        return ofUser || (before == '=' && " &,;'\")".indexOf(after) >= 0);
    }

    /** Neither the name of a file with a secret nor a public key is secret. */
    private static boolean isSecretKey(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        boolean names =
                lower.contains("pass") || lower.contains("secret") || lower.contains("token") || lower.contains("key");
        return names && !lower.endsWith("file") && !lower.equals("sslkey") && !lower.contains("publickey");
    }
}
