package dev.leasehold.cli.targets;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Raises targets to one grant, and lets the store remember them. A target whose fence went back is
 * not raised. What the store remembers is only a second check, so work goes on without it.
 */
public final class TargetRaising implements AutoCloseable {
    private final TargetMemory memory;
    private final Grant grant;
    private final Invocation invocation;
    private final List<KnownTarget> known;
    private final List<KnownTarget> raised = new ArrayList<>();

    private TargetRaising(TargetMemory memory, Grant grant, Invocation invocation, List<KnownTarget> known) {
        this.memory = memory;
        this.grant = grant;
        this.invocation = invocation;
        this.known = known;
    }

    /** @param store the store of the grant */
    public static TargetRaising in(LeaseStore store, Grant grant, Invocation invocation) {
        TargetMemory memory = new TargetMemory(store.register());
        List<KnownTarget> known = List.of();
        try {
            known = memory.of(grant.name());
        } catch (StoreUnavailableException | StoreCorruptException e) {
            warn(invocation, e);
        }
        return new TargetRaising(memory, grant, invocation, known);
    }

    /** What the store remembered about the targets of the lease. */
    public List<KnownTarget> known() {
        return known;
    }

    /** @throws dev.leasehold.fence.TargetUnavailableException if the fence went back, or cannot be reached */
    public Admission raise(TargetOption target) throws InterruptedException {
        return noted(target, target.raise(grant, known, invocation));
    }

    /** Binds a target to the store of the grant, even if its fence went back. */
    Admission rebind(TargetOption target) {
        return noted(target, target.rebind(grant, invocation));
    }

    private Admission noted(TargetOption target, Admission admission) {
        if (!(admission instanceof Admission.Refused)) {
            target.stepped(grant, known, invocation).ifPresent(raised::add);
        }
        return admission;
    }

    /** Lets the store remember what was raised. */
    @Override
    public void close() {
        if (raised.isEmpty()) {
            return;
        }
        try {
            memory.add(grant.name(), raised);
        } catch (StoreUnavailableException | StoreCorruptException e) {
            warn(invocation, e);
        }
    }

    private static void warn(Invocation invocation, RuntimeException e) {
        invocation.console().say("warning: the store does not remember which targets were raised: " + e.getMessage());
    }
}
