package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.model.LeaseName;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The targets of each lease that a run may acquire. A fallback raises its own targets only:
 * otherwise the fences of the busy lease would be bound to the fallback and refuse their owner.
 */
public final class LeaseTargets {
    private final LeaseName first;
    private final Map<LeaseName, List<TargetOption>> targets = new LinkedHashMap<>();

    /** @param first the lease that the run acquires if it is free */
    public LeaseTargets(LeaseName first) {
        this.first = first;
    }

    /** @throws UsageException if another lease has one of the targets */
    public LeaseTargets with(LeaseName name, List<TargetOption> own) {
        for (Map.Entry<LeaseName, List<TargetOption>> other : targets.entrySet()) {
            for (TargetOption target : own) {
                if (target.isIn(other.getValue())) {
                    throw new UsageException(target + " is a target of both " + other.getKey() + " and " + name
                            + ": a target obeys the tokens of one lease only. Name another target for " + name);
                }
            }
        }
        targets.put(name, own);
        return this;
    }

    /** The targets to raise for a run that holds this lease. */
    public List<TargetOption> of(LeaseName name, Invocation invocation) {
        List<TargetOption> own = targets.getOrDefault(name, List.of());
        if (own.isEmpty() && targets.containsKey(first)) {
            invocation
                    .console()
                    .say(first + " is busy: this run holds " + name + " instead, without the targets of " + first);
        }
        return own;
    }

    /** Tells a command under this lease which targets belong to the others. */
    public void tellOthers(LeaseName held, Map<String, String> variables, Invocation invocation) {
        for (Map.Entry<LeaseName, List<TargetOption>> lease : targets.entrySet()) {
            if (!lease.getKey().equals(held)) {
                for (TargetOption target : lease.getValue()) {
                    Path path = target.path();
                    if (path != null) {
                        OtherTargets.add(lease.getKey(), path, variables, invocation);
                    }
                }
            }
        }
    }
}
