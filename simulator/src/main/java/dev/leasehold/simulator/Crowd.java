package dev.leasehold.simulator;

import dev.leasehold.internal.Combiner;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import java.util.List;
import java.util.function.Supplier;

/**
 * A process with several callers that acquire and release at the same moments, so that they share
 * calls. Each must get its own answer, whatever happens to the requests of the others.
 */
final class Crowd {
    private static final LeaseName SHARED = LeaseName.of("crowd/shared");
    private static final int TURNS_PER_TTL = 3;
    private static final long SPREAD = 2_000_000;

    /** Some calls, and as often the patience for a slow one. The locked name is locked for longer. */
    private static final long HELD_UP = 5 * Combiner.PATIENCE.toNanos();

    private final SimulatedWorld world;
    private final String name;
    private final SimulatedHost host;
    private final List<LeaseName> names;
    private SimulatedProcess latest;
    private int lives;
    private int finished;

    Crowd(SimulatedWorld world, String name) {
        this.world = world;
        this.name = name;
        this.host = world.newHost();
        this.names = List.of(
                LeaseName.of("crowd/" + name + "/1"),
                LeaseName.of("crowd/" + name + "/2"),
                SHARED,
                SHARED,
                SharedStore.POISONED,
                SharedStore.LOCKED);
        this.latest = new SimulatedProcess(name, world, host);
    }

    void start() {
        SimulatedProcess process = new SimulatedProcess(name + "." + ++lives, world, host);
        SharedStore store = new SharedStore(world, process);
        latest = process;
        finished = 0;
        for (int i = 0; i < names.size(); i++) {
            Caller caller = new Caller(process, store, names.get(i));
            boolean first = i == 0;
            world.time().start(process + "/" + i, () -> live(caller, first));
        }
    }

    private void live(Caller caller, boolean restarts) {
        try {
            caller.work();
            finished++;
        } catch (Crashed e) {
            if (world.isCalm() || !restarts || !caller.process.isDead()) {
                throw e;
            }
            world.time().after(world.random().upTo(world.scenario().ttl().toNanos()), this::start);
        }
    }

    void checkEnd() {
        if (!latest.isDead() && finished < names.size()) {
            world.invariants()
                    .violated(
                            Invariant.OWN_ANSWER,
                            (names.size() - finished) + " callers of " + name + " never got an answer");
        }
    }

    private final class Caller {
        private final SimulatedProcess process;
        private final SharedStore store;
        private final LeaseName lease;

        Caller(SimulatedProcess process, SharedStore store, LeaseName lease) {
            this.process = process;
            this.store = store;
            this.lease = lease;
        }

        void work() {
            long period = world.scenario().ttl().toNanos() / TURNS_PER_TTL;
            while (world.time().now() < world.scenario().crowdEnd()) {
                long now = world.time().now();
                process.waitFor(period - now % period + world.random().upTo(SPREAD));
                try {
                    takeTurn();
                } catch (StoreUnavailableException e) {
                    world.log().note(process, "got no answer for " + lease + ": " + e.getMessage());
                } catch (ServerFailure e) {
                    if (!lease.equals(SharedStore.POISONED)) {
                        violated("got the error of another request: " + e.getMessage());
                    }
                }
            }
        }

        private void takeTurn() {
            long began = world.time().now();
            AttemptId attempt = AttemptId.of(world.ids().unique());
            Acquisition answer = acquire(attempt);
            world.log().note(process, "asked for " + lease + ": " + answer);
            if (answer instanceof Acquisition.Granted granted) {
                checkOwn(granted.grant(), attempt);
                Release release = release(granted.grant());
                if (isQuietSince(began) && !(release instanceof Release.Released)) {
                    violated("released its current grant, and the answer is " + release);
                }
            } else if (answer instanceof Acquisition.Busy busy) {
                checkNoLockout(busy, attempt);
            }
        }

        /** Repeats with the same attempt, as the engine does. */
        private Acquisition acquire(AttemptId attempt) {
            try {
                return asked(() -> store.acquire(
                        lease, attempt, Holder.of(name), world.scenario().ttl()));
            } catch (StoreUnavailableException e) {
                return asked(() -> store.acquire(
                        lease, attempt, Holder.of(name), world.scenario().ttl()));
            }
        }

        private Release release(Grant grant) {
            return asked(() -> store.release(grant));
        }

        private <T> T asked(Supplier<T> step) {
            long began = world.time().now();
            boolean healthy = !lease.equals(SharedStore.POISONED) && !lease.equals(SharedStore.LOCKED);
            try {
                return step.get();
            } catch (StoreUnavailableException e) {
                if (healthy && isQuietSince(began)) {
                    violated("failed without a fault: " + e.getMessage());
                }
                throw e;
            } finally {
                long took = world.time().now() - began;
                if (healthy && isQuietSince(began) && took > HELD_UP) {
                    violated("was held up for " + FaultInjector.millis(took));
                }
            }
        }

        /** Whether no fault disturbs a call that began at this time: calls that a fault has hit have ended before. */
        private boolean isQuietSince(long began) {
            long disturbed = Math.max(
                    world.scenario().calm(),
                    Math.max(process.faultyUntil(), world.store().awayUntil()));
            return !process.isDead() && began > disturbed + 5 * world.scenario().patience();
        }

        private void checkOwn(Grant grant, AttemptId attempt) {
            boolean own = grant.name().equals(lease) && attempt.equals(grant.attempt());
            if (!own || !isIssued(grant.token(), attempt)) {
                violated("got an answer that is not its own: " + grant);
            }
        }

        private void checkNoLockout(Acquisition.Busy busy, AttemptId attempt) {
            if (isIssued(busy.token(), attempt)) {
                world.invariants().violated(Invariant.NO_LOCKOUT, process + " is refused because of its own attempt");
            }
        }

        private boolean isIssued(FencingToken token, AttemptId attempt) {
            for (Transfer transfer : world.invariants().truth().history(lease, LeaseStore.HISTORY_KEPT)) {
                if (transfer.token().equals(token) && transfer.attempt().equals(attempt)) {
                    return true;
                }
            }
            return false;
        }

        private void violated(String what) {
            world.invariants().violated(Invariant.OWN_ANSWER, process + ", " + lease + ": " + what);
        }
    }
}
