package dev.leasehold.cli.command;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.model.Text;

/** Which store is meant when no option says so. */
public final class StoreUrl {
    public static final String VARIABLE = "LEASEHOLD_STORE";

    private static final String FILE = "file:";

    private StoreUrl() {}

    static String fromEnvironment(Invocation invocation) {
        String url = invocation.env(VARIABLE);
        return url == null ? FILE.concat(stateDirectory(invocation)).concat("/leasehold") : typed(url);
    }

    /** A URL that somebody wrote. Only there is ASCII asked for: the default lies wherever the user's home directory is. */
    public static String typed(String url) {
        for (int i = 0; i < url.length(); i++) {
            if (!Text.isPrintable(url.charAt(i))) {
                throw new UsageException("store URL " + SafeText.quote(url)
                        + " has a character that is not printable ASCII at position " + (i + 1));
            }
        }
        return url;
    }

    /**
     * Makes the directory of a file store absolute, so that a command in another directory still means the same store.
     *
     * @throws UsageException if it leads upwards, which is more often a mistake than meant
     */
    public static String absolute(String url) {
        if (!url.startsWith(FILE)) {
            return url;
        }
        String path = url.substring(FILE.length());
        if (Arguments.hasParentSegment(path)) {
            throw new UsageException(
                    "store URL " + SafeText.quote(url) + " has '..' in its path: write the directory's" + " own path");
        }
        boolean relative = !path.isEmpty() && path.charAt(0) != '/';
        return relative
                ? FILE.concat(System.getProperty("user.dir", "")).concat("/").concat(path)
                : url;
    }

    private static String stateDirectory(Invocation invocation) {
        String state = invocation.env("XDG_STATE_HOME");
        // The XDG rules say that a relative path there is to be ignored.
        if (state != null && state.startsWith("/")) {
            return state;
        }
        String home = invocation.env("HOME");
        if (home == null) {
            home = System.getProperty("user.home", "");
        }
        if (!home.startsWith("/")) {
            throw new UsageException(
                    "there is no home directory to keep leases in: name a store with --store or " + VARIABLE);
        }
        return home.concat("/.local/state");
    }
}
