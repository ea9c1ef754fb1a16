package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * {@code --observe}: a write that should be refused is made anyway and counted. It shows how often
 * stale writes happen before the fence is put in force. It protects nothing, and says so on every
 * use.
 */
final class Observation {
    static final Option OPTION =
            Option.flag("observe", "do not refuse: write even with a stale token, and only count such writes");

    /** The name of the counter in the log of runs. */
    static final String KIND = "would_refuse";

    private static final long UNKNOWN = -1;

    private Observation() {}

    static boolean isWanted(Invocation invocation) {
        return invocation.arguments().has(OPTION);
    }

    /**
     * Called after the write: counts it if it should have been refused, and reports the total.
     *
     * @param target the target of the write, for people to read
     * @param instead the refusal that was not enforced, or null if there was none
     */
    static void report(Invocation invocation, Object target, Grant grant, Admission.@Nullable Refused instead)
            throws InterruptedException {
        String detail = instead == null ? null : target + ": " + instead.explanation();
        long count = BoundedQuery.of(invocation, grant, store -> count(store, invocation, grant, detail), UNKNOWN);
        if (instead != null) {
            invocation.console().error(target + " WAS WRITTEN but should have been refused: " + instead.explanation());
        }
        String counted = count == UNKNOWN
                ? "it is unknown how many writes of " + grant.name() + " should have been refused"
                : count + (count == 1 ? " write of " : " writes of ") + grant.name()
                        + " should have been refused so far (see 'leasehold explain " + grant.name() + "')";
        invocation.console().error("--observe protects nothing: " + counted + "; omit --observe to refuse them");
    }

    private static long count(LeaseStore store, Invocation invocation, Grant grant, @Nullable String detail) {
        if (detail != null) {
            BoundedQuery.record(store, invocation, grant, KIND, detail);
        }
        return new RunLog(store.register()).of(grant.name()).counters().getOrDefault(KIND, 0L);
    }
}
