package dev.leasehold.nats;

import org.jspecify.annotations.Nullable;

/**
 * What the server did not permit. It drops such a call, answers nothing, and says so beside the calls: whoever waits for the
 * answer would learn only that none came.
 */
final class DeniedRights {
    private static final String PUBLISH = "permissions violation for publish to ";
    private static final String SUBSCRIBE = "permissions violation for subscription to ";

    /** One refusal. Each is an object of its own, also if the server says the same twice. */
    static final class Denial {
        private final String right;

        private Denial(String right) {
            this.right = right;
        }
    }

    private volatile @Nullable Denial call;

    /** The client subscribes to its answers once for each connection, so this is said once, and explains all calls. */
    private volatile @Nullable Denial answers;

    /** @param error as the server sent it; others than denied rights are ignored */
    void note(String error) {
        if (startsWith(error, PUBLISH)) {
            call = new Denial("publish to " + error.substring(PUBLISH.length()));
        } else if (startsWith(error, SUBSCRIBE)) {
            answers = new Denial("subscribe to " + error.substring(SUBSCRIBE.length()));
        }
    }

    private static boolean startsWith(String error, String start) {
        return error.regionMatches(true, 0, start, 0, start.length());
    }

    /** To be asked before a call. */
    @Nullable
    Denial last() {
        return call;
    }

    /**
     * Why a call was not answered, as the second half of a sentence that starts with the server.
     *
     * @param before what {@link #last} was before the call
     * @return null if the server did not deny anything since
     */
    @Nullable
    String explain(@Nullable Denial before) {
        Denial now = call;
        Denial denied = now == null || now == before ? answers : now;
        return denied == null
                ? null
                : "does not give this user the right to " + denied.right
                        + ". Grant it; docs/stores.md lists the permissions that a store needs";
    }
}
