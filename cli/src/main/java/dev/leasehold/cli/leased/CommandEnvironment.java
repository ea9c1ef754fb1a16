package dev.leasehold.cli.leased;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.SystemdNotifier;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The environment of a command under a lease: it describes the command's own grant, never that of
 * an outer run.
 */
public final class CommandEnvironment {
    /** The name of the holder, for people to read. */
    public static final String HOLDER = "LEASEHOLD_HOLDER";

    /** The key of the work item. */
    public static final String KEY = "LEASEHOLD_KEY";

    /**
     * The name that the key belongs to. It differs from the lease's name if the run fell back to
     * {@code --or}.
     */
    public static final String WORK = "LEASEHOLD_WORK";

    /** Where an earlier attempt at the work item stopped. */
    public static final String CHECKPOINT = "LEASEHOLD_CHECKPOINT";

    /** Which attempt at the work item this is. */
    public static final String ATTEMPT = "LEASEHOLD_ATTEMPT";

    /** The variables of a work item, which an outer run may have set. */
    static final Set<String> REMOVED = Set.of(KEY, WORK, CHECKPOINT, ATTEMPT);

    /** Those that a job must not get either: it would tell systemd that 'up' is ready, or has ended. */
    static final Set<String> REMOVED_FROM_JOBS = Set.of(KEY, WORK, CHECKPOINT, ATTEMPT, SystemdNotifier.VARIABLE);

    /** The leases that outer runs hold, so that a nested run never waits for one of them. */
    private static final String OUTER = "LEASEHOLD_OUTER";

    private final Invocation invocation;
    private final Leases leases;

    public CommandEnvironment(Invocation invocation, Leases leases) {
        this.invocation = invocation;
        this.leases = leases;
    }

    /** The call of the program, with the store of the leases. */
    public Invocation invocation() {
        return invocation;
    }

    /** The store of the leases. */
    public LeaseStore store() {
        return leases.store();
    }

    /** The variables for a command under this lease; the map may be changed. */
    public Map<String, String> variables(Lease lease) {
        Map<String, String> variables = new HashMap<>();
        variables.put(ShownGrant.NAME_VARIABLE, lease.grant().name().value());
        variables.put(ShownGrant.TOKEN_VARIABLE, lease.grant().token().toString());
        variables.put(ShownGrant.GRANT_VARIABLE, lease.grant().encode());
        variables.put(HOLDER, leases.holder().value());
        variables.put(StoreUrl.VARIABLE, invocation.storeUrl());
        String outer = invocation.env(OUTER);
        String own = entry(lease.grant().name());
        variables.put(OUTER, outer == null ? own : outer + " " + own);
        return variables;
    }

    /**
     * Refuses to wait for a lease that an outer run holds: the outer run waits for this one, so
     * neither would end.
     */
    public void refuseDeadlock(List<LeaseName> names) {
        String outer = invocation.env(OUTER);
        if (outer == null) {
            return;
        }
        String known = " " + outer + " ";
        for (LeaseName name : names) {
            if (known.contains(" " + entry(name) + " ")) {
                throw new UsageException("an outer run holds " + name
                        + " and waits for this one, so waiting for it would never end; nothing was run."
                        + " Use another name, or do not wait");
            }
        }
    }

    private String entry(LeaseName name) {
        return leases.store().id() + "/" + name;
    }
}
