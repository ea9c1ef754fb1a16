package dev.leasehold.cli.command;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.model.Text;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The URL of the store: from the command line, the environment, or the default. */
public final class StoreUrl {
    public static final String VARIABLE = "LEASEHOLD_STORE";

    private static final String FILE = "file:";
    private static final String SQLITE = "sqlite:";
    private static final String H2 = "h2:";

    private StoreUrl() {}

    /**
     * The URL in the environment; null if it is not set.
     *
     * @throws UsageException if it is set but empty: most likely the variable that it was set from
     *     is missing, and the default store would be the wrong one
     */
    static @Nullable String fromEnvironment(Invocation invocation) {
        String url = invocation.environment().get(VARIABLE);
        if (url != null && url.isEmpty()) {
            throw new UsageException(VARIABLE
                    + " is set but empty: name a store in it, or unset it to use the default store of this user");
        }
        return url == null ? null : typed(url);
    }

    /** The store of this user, which is created on first use. */
    static String ofUser(Invocation invocation) {
        return FILE.concat(stateDirectory(invocation)).concat("/leasehold");
    }

    /** Checks a URL that a user wrote. Only the path of a file may have letters of any language. */
    public static String typed(String url) {
        boolean path = !schemeOfPath(url).isEmpty();
        for (int i = 0; i < url.length(); i++) {
            char c = url.charAt(i);
            if (path ? SafeText.isObeyed(c) : !Text.isPrintable(c)) {
                throw new UsageException("store URL " + SafeText.quote(url) + " has a character that is not "
                        + (path ? "printable" : "printable ASCII") + " at position " + (i + 1));
            }
        }
        int colon = url.indexOf(':');
        if (url.startsWith("$", colon + 1)) {
            throw new UsageException(
                    "store URL has a '$' that no shell replaced (it was in single quotes, or in a file that no"
                            + " shell reads): write the whole path");
        }
        return url;
    }

    /**
     * Makes the path of a store on this host absolute, so that a command in another directory uses
     * the same store.
     *
     * @throws UsageException if the path contains {@code ..}, which is usually a mistake
     */
    public static String absolute(String url) {
        String scheme = schemeOfPath(url);
        if (scheme.isEmpty()) {
            return url;
        }
        String path = url.substring(scheme.length());
        if (Arguments.hasParentSegment(path)) {
            throw new UsageException(
                    "store URL " + SafeText.quote(url) + " has '..' in its path: write the path without it");
        }
        // Stores refuses a '~' with a reason.
        boolean relative = !path.isEmpty() && "/~:".indexOf(path.charAt(0)) < 0;
        return relative
                ? scheme.concat(System.getProperty("user.dir", "")).concat("/").concat(path)
                : url;
    }

    /** The scheme of a store that is a file or directory of this host; empty for others. */
    private static String schemeOfPath(String url) {
        if (url.startsWith(H2)) {
            String place = url.substring(H2.length());
            boolean path = !place.startsWith("mem:") && !place.startsWith("tcp:") && !place.startsWith("ssl:");
            return path ? H2 : "";
        }
        return url.startsWith(FILE) ? FILE : url.startsWith(SQLITE) ? SQLITE : "";
    }

    /** Where programs keep what they remember for this user. */
    public static String stateDirectory(Invocation invocation) {
        String state = invocation.env("XDG_STATE_HOME");
        // The XDG specification says to ignore a relative path.
        if (state != null && state.startsWith("/")) {
            return state;
        }
        String home = invocation.env("HOME");
        if (home == null) {
            home = System.getProperty("user.home", "");
        }
        if (!home.startsWith("/")) {
            throw new UsageException(
                    "there is no home directory for the default store: name a store with --store or " + VARIABLE);
        }
        return home.concat("/.local/state");
    }

    /**
     * Where commands remember what they have seen of a store without a clock, because each of them runs for too short a
     * time to see a lease end. Null for the file store, which every start-up counts for, and without a home directory.
     */
    static @Nullable Path observationsOf(String url, Invocation invocation) {
        if (url.startsWith(FILE)) {
            return null;
        }
        try {
            return Path.of(stateDirectory(invocation), "leasehold-observations");
        } catch (UsageException e) {
            return null;
        }
    }

    /** Whether the store is behind a server. */
    public static boolean isServer(String url) {
        return url.regionMatches(true, 0, "http://", 0, 7) || url.regionMatches(true, 0, "https://", 0, 8);
    }
}
