package dev.leasehold.simulator;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run that does what the README says: acquire, raise, read, think, write, release. When its
 * process dies, another one starts.
 */
final class SimulatedWorker {
    private static final LeaseName FALLBACK = LeaseName.of("other-job");

    private final SimulatedWorld world;
    private final String name;
    private final SimulatedHost host;
    private int lives;
    private int writes;
    private SimulatedProcess process;

    SimulatedWorker(SimulatedWorld world, String name) {
        this.world = world;
        this.name = name;
        this.host = world.workersHost();
        this.process = new SimulatedProcess(name, world, host);
    }

    void start() {
        process = new SimulatedProcess(name + "." + ++lives, world, host);
        world.time().start(process.toString(), this::live);
    }

    private void live() {
        SimulatedProcess self = process;
        try {
            work(self);
        } catch (Crashed e) {
            if (world.isCalm() || !self.isDead()) {
                throw e;
            }
            world.time().after(world.random().upTo(world.scenario().ttl().toNanos()), this::start);
        }
    }

    private void work(SimulatedProcess self) {
        LeaseEvents events = new LeaseEvents(self);
        // What a command has seen of a store without a clock is on the disk when the next command starts.
        boolean commands = world.scenario().kind() == ScenarioKind.CLOCKLESS
                && world.random().oneIn(2);
        Leases leases = null;
        while (!world.isCalm()) {
            try {
                if (leases == null || commands) {
                    leases = open(self, events);
                }
                if (world.random().oneIn(6)) {
                    fallBack(self, leases);
                } else {
                    tryOnce(self, leases, events);
                }
            } catch (StoreUnavailableException e) {
                world.log().note(self, "got no answer: " + e.getMessage());
            } catch (InjectedFailures.NoThread | InjectedFailures.Failure | InjectedFailures.Fatal e) {
                world.log().note(self, "continues after " + e);
            } catch (InterruptedException e) {
                throw new IllegalStateException("this fiber is never interrupted", e);
            }
            self.sleep(upToTtl(1));
        }
    }

    private void tryOnce(SimulatedProcess self, Leases leases, LeaseEvents events) throws InterruptedException {
        long drawn = world.ids().drawn();
        AcquireResult attempt = leases.acquireWithin(Invariants.NAME, terms(), upToTtl(1));
        if (attempt instanceof AcquireResult.Acquired acquired) {
            hold(self, leases, events, acquired.held());
        } else {
            world.invariants().refusedAsBusy(self, name, drawn);
        }
    }

    /** Works on the same keys under another lease, as a run with a fallback lease does. */
    private void fallBack(SimulatedProcess self, Leases leases) {
        if (leases.tryAcquire(FALLBACK, terms()) instanceof AcquireResult.Acquired acquired) {
            try (Lease lease = acquired.held()) {
                new KeyedWork(world, self, leases.store()).doOne(lease);
            }
        }
    }

    private LeaseTerms terms() {
        return LeaseTerms.ofTtl(world.scenario().ttl())
                .withMinHold(world.scenario().minHold());
    }

    private Duration upToTtl(int times) {
        return Duration.ofNanos(
                world.random().upTo(times * world.scenario().ttl().toNanos()));
    }

    private Leases open(SimulatedProcess self, LeaseEvents events) {
        return Leases.over(world.openStore(self))
                .context(self.context())
                .holder(Holder.of(name))
                .terms(terms())
                .listener(events)
                .build();
    }

    private void hold(SimulatedProcess self, Leases leases, LeaseEvents events, Lease lease) {
        try {
            world.lossNotices().watch(self, lease);
            if (world.random().oneIn(3)) {
                new KeyedWork(world, self, leases.store()).doOne(lease);
            }
            for (long rounds = world.random().between(1, 2); rounds > 0 && useTarget(self, lease); rounds--) {
                self.sleep(upToTtl(1));
            }
        } finally {
            if (!self.isDead()) {
                world.invariants().releasing(lease);
            }
            events.endChild();
            world.lossNotices().forget(lease);
            world.invariants().forget(lease);
            lease.close();
        }
    }

    /** Returns whether to continue. */
    private boolean useTarget(SimulatedProcess self, Lease lease) {
        SimulatedTarget fence = world.guarded().seenBy(self);
        long token = lease.grant().token().value();
        try {
            if (fence.raise(lease.grant()) instanceof Admission.Refused refused) {
                world.refused();
                world.log().note(self, "is refused: " + refused.explanation());
                return false;
            }
            List<String> content = new ArrayList<>(fence.read());
            self.sleep(upToTtl(2));
            String entry = token + "/" + self + "/" + ++writes;
            content.add(entry);
            Admission answer = fence.admit(lease.grant(), content);
            if (answer instanceof Admission.Refused refused) {
                world.refused();
                world.log().note(self, "is refused: " + refused.explanation());
                return false;
            }
            world.log().note(self, "wrote " + entry);
            world.invariants().acknowledged(entry);
            return lease.isTrusted();
        } catch (TargetUnavailableException e) {
            world.log().note(self, "does not know whether its write took effect under token " + token);
            return false;
        }
    }

    private final class LeaseEvents implements LeaseListener {
        private final SimulatedProcess self;
        private @Nullable SimulatedChild child;

        LeaseEvents(SimulatedProcess self) {
            this.self = self;
        }

        void endChild() {
            if (child != null && !self.isDead()) {
                child.end();
            }
        }

        @Override
        public void acquired(Lease lease, Transfer transfer) {
            self.requireAlive();
            world.log()
                    .note(
                            self,
                            "got " + lease.grant() + " (" + transfer.reason().word() + ")");
            world.faultInjector().inListener();
            if (!lease.grant().name().equals(Invariants.NAME)) {
                return;
            }
            world.invariants().acquired(self, lease);
            child = new SimulatedChild(lease, host);
            world.invariants().started(child);
        }

        @Override
        public void renewed(Lease lease, Duration gap) {
            self.requireAlive();
            if (child != null && child.isUnder(lease)) {
                child.extend();
            }
            world.faultInjector().inListener();
        }

        @Override
        public void lost(Lease lease, Loss loss) {
            self.requireAlive();
            world.log().note(self, "lost " + lease.grant() + ": " + loss.explanation());
            endChild();
            world.faultInjector().inListener();
        }

        @Override
        public void released(Lease lease, Release release) {
            self.requireAlive();
            world.faultInjector().inListener();
        }
    }
}
