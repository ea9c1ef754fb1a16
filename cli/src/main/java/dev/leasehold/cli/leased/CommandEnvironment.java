package dev.leasehold.cli.leased;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.model.LeaseName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the command finds in its environment: its own grant, and none of an outer run's. */
public final class CommandEnvironment {
    /** The variables of work items, which an outer run may have set. */
    static final Set<String> REMOVED =
            Set.of(WorkEnvironment.KEY, WorkEnvironment.WORK, WorkEnvironment.CHECKPOINT, WorkEnvironment.ATTEMPT);

    /** Which leases the runs around this one hold, so that none of them waits for another. */
    private static final String OUTER = "LEASEHOLD_OUTER";

    private final Invocation invocation;
    private final Leases leases;

    public CommandEnvironment(Invocation invocation, Leases leases) {
        this.invocation = invocation;
        this.leases = leases;
    }

    public Map<String, String> variables(Lease lease) {
        Map<String, String> variables = new HashMap<>();
        variables.put(ShownGrant.NAME_VARIABLE, lease.grant().name().value());
        variables.put(ShownGrant.TOKEN_VARIABLE, lease.grant().token().toString());
        variables.put(ShownGrant.GRANT_VARIABLE, lease.grant().encode());
        variables.put("LEASEHOLD_HOLDER", leases.holder().value());
        variables.put(StoreUrl.VARIABLE, invocation.storeUrl());
        String outer = invocation.env(OUTER);
        String own = entry(lease.grant().name());
        variables.put(OUTER, outer == null ? own : outer + " " + own);
        return variables;
    }

    /** An outer run waits for this one to end, so waiting for its lease would last until somebody's time is up. */
    public void refuseToWaitForOurselves(List<LeaseName> names) {
        String outer = invocation.env(OUTER);
        if (outer == null) {
            return;
        }
        String known = " " + outer + " ";
        for (LeaseName name : names) {
            if (known.contains(" " + entry(name) + " ")) {
                throw new UsageException("this run is inside a run that holds " + name
                        + ", and would wait for itself: nothing was run. Use another name, or do not wait");
            }
        }
    }

    private String entry(LeaseName name) {
        return leases.store().id() + "/" + name;
    }
}
