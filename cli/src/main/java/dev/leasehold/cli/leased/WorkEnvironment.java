package dev.leasehold.cli.leased;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkKey;
import org.jspecify.annotations.Nullable;

/** What {@code run --key} tells the command about its work item, and how other commands inside it find the item again. */
public final class WorkEnvironment {
    public static final String KEY = "LEASEHOLD_KEY";
    public static final String CHECKPOINT = "LEASEHOLD_CHECKPOINT";
    public static final String ATTEMPT = "LEASEHOLD_ATTEMPT";

    /** The name that the key belongs to: another one than the lease's where a run fell back to {@code --or}. */
    public static final String WORK = "LEASEHOLD_WORK";

    private WorkEnvironment() {}

    /** The item that the key belongs to, when it is worked on under this grant. */
    public static WorkId idOf(Invocation invocation, Grant grant, String keyText, String where) {
        String name = invocation.env(WORK);
        boolean ours = grant.name().value().equals(invocation.env(ShownGrant.NAME_VARIABLE));
        try {
            LeaseName of = name == null || !ours ? grant.name() : LeaseName.of(name);
            return new WorkId(of, WorkKey.of(keyText));
        } catch (IllegalArgumentException e) {
            throw Arguments.bad(where, keyText, e);
        }
    }

    /** The key that was given, else the one of the run around this command. */
    public static WorkId idOf(Invocation invocation, Grant grant, @Nullable String given) {
        if (given != null) {
            return idOf(invocation, grant, given, "KEY");
        }
        String own = invocation.env(KEY);
        if (own == null) {
            throw new UsageException("no work key: give it, or set " + KEY);
        }
        return idOf(invocation, grant, own, KEY);
    }
}
