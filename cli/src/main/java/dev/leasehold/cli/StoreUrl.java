package dev.leasehold.cli;

import dev.leasehold.cli.args.UsageException;

/** Which store is meant when no option says so. */
final class StoreUrl {
    static final String VARIABLE = "LEASEHOLD_STORE";

    private StoreUrl() {}

    static String fromEnvironment(Invocation invocation) {
        String url = invocation.env(VARIABLE);
        return url == null ? "file:".concat(stateDirectory(invocation)).concat("/leasehold") : url;
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
