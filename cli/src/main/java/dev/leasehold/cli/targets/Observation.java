package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.runlog.RunLog;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * {@code --observe}: a write that would be refused goes through and is counted, so that somebody can learn whether work had
 * been done twice at all before guarding it. It protects nothing, and says so on every use.
 */
final class Observation {
    static final Option OPTION =
            Option.flag("observe", "guard nothing: write even if it should be refused, and only count that");

    /** The counter of {@code explain}. */
    static final String KIND = "would_refuse";

    private static final long UNKNOWN = -1;

    private Observation() {}

    static boolean isWanted(Invocation invocation) {
        return invocation.arguments().has(OPTION);
    }

    /**
     * After the write: counts it if it should have been refused, and says how many there were.
     *
     * @param target what was written, for people to read
     * @param instead the refusal that did not happen, or null if there was no reason for one
     */
    static void tell(Invocation invocation, Object target, Grant grant, Admission.@Nullable Refused instead)
            throws InterruptedException {
        String detail = instead == null ? null : target + ": " + instead.explanation();
        long count = BoundedQuery.of(invocation, grant, store -> count(store, invocation, grant, detail), UNKNOWN);
        if (instead != null) {
            invocation
                    .console()
                    .error(target + " WRITTEN ALTHOUGH it should have been refused: " + instead.explanation());
        }
        String counted = count == UNKNOWN
                ? "the store could not tell how many writes of " + grant.name() + " should have been refused"
                : count + (count == 1 ? " write of " : " writes of ") + grant.name()
                        + " should have been refused so far (see 'leasehold explain " + grant.name() + "')";
        invocation.console().error("--observe guards nothing: " + counted + "; leave it out to refuse them");
    }

    private static long count(LeaseStore store, Invocation invocation, Grant grant, @Nullable String detail) {
        if (detail != null) {
            BoundedQuery.note(store, invocation, grant, KIND, detail);
        }
        return new RunLog(store.register()).of(grant.name()).counters().getOrDefault(KIND, 0L);
    }
}
