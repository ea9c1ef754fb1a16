package dev.leasehold.simulator;

import dev.leasehold.internal.Combiner;
import dev.leasehold.internal.Pending;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store as one process sees it whose callers share calls, as they do in a database: the real
 * {@link Combiner} over a simulated network and a simulated server.
 */
final class SharedStore {
    /** The server refuses every call with a request for this name, and does nothing else of the call. */
    static final LeaseName POISONED = LeaseName.of("crowd/poisoned");

    /** Another transaction keeps this name locked most of the time. A call for many skips it; a call alone waits. */
    static final LeaseName LOCKED = LeaseName.of("crowd/locked");

    private static final int MOST = 3;

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final Combiner<Step<Acquisition>, Acquisition> acquires;
    private final Combiner<Step<Release>, Release> releases;

    /** What a caller asks for; {@code atServer} runs there. */
    private record Step<A>(LeaseName name, Function<LeaseStore, A> atServer) {}

    SharedStore(SimulatedWorld world, SimulatedProcess process) {
        this.world = world;
        this.process = process;
        this.acquires = combiner();
        this.releases = combiner();
    }

    Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        return acquires.ask(new Step<>(name, store -> store.acquire(name, attempt, holder, ttl)));
    }

    Release release(Grant grant) {
        return releases.ask(new Step<>(grant.name(), store -> store.release(grant, Duration.ZERO)));
    }

    private <A> Combiner<Step<A>, A> combiner() {
        boolean single = world.scenario().parallel() == 1;
        Calls<A> calls = new Calls<>();
        return new Combiner<>(
                MOST,
                single ? new Combiner.Lanes(1, 1) : new Combiner.Lanes(2, 2),
                Step::name,
                calls::together,
                calls::alone,
                FiberSleeper::new);
    }

    /** The calls of one kind of step, and which names they are for. */
    private final class Calls<A> {
        private final Set<LeaseName> underWay = new HashSet<>();

        void together(List<Pending<Step<A>, A>> requests) {
            Set<LeaseName> names = new HashSet<>();
            List<Step<A>> steps = new ArrayList<>();
            for (Pending<Step<A>, A> each : requests) {
                names.add(each.request().name());
                steps.add(each.request());
            }
            List<Optional<A>> answers = send(names, () -> run(steps));
            Combiner.answer(requests, answers);
        }

        A alone(Step<A> step) {
            return send(Set.of(step.name()), () -> {
                while (isLocked(step.name())) {
                    process.sleep(Duration.ofMillis(5));
                }
                return call(() -> runOne(step));
            });
        }

        private List<Optional<A>> run(List<Step<A>> steps) {
            return call(() -> {
                if (steps.stream().anyMatch(step -> step.name().equals(POISONED))) {
                    throw new ServerFailure("the call was undone");
                }
                List<Optional<A>> answers = new ArrayList<>();
                for (Step<A> step : steps) {
                    answers.add(isLocked(step.name()) ? Optional.empty() : Optional.of(runOne(step)));
                }
                return answers;
            });
        }

        private A runOne(Step<A> step) {
            if (step.name().equals(POISONED)) {
                throw new ServerFailure("the name is poisoned");
            }
            return step.atServer().apply(world.invariants().truth());
        }

        /** Callers of one name keep their order only if no two calls with that name are under way. */
        private <T> T send(Collection<LeaseName> names, Supplier<T> call) {
            for (LeaseName name : names) {
                if (!underWay.add(name)) {
                    world.invariants()
                            .violated(Invariant.OWN_ANSWER, process + " has two calls for " + name + " under way");
                }
            }
            try {
                return call.get();
            } finally {
                underWay.removeAll(names);
            }
        }
    }

    private <T> T call(Supplier<T> request) {
        return world.network()
                .call(process, world.store(), request)
                .orElseThrow(() -> new StoreUnavailableException("no answer from the store; the outcome is unknown"));
    }

    /** Two thirds of the time. */
    private boolean isLocked(LeaseName name) {
        long period = world.scenario().ttl().toNanos() / 4;
        return name.equals(LOCKED) && world.time().now() % period < period / 3 * 2;
    }

    /** A simulated thread that waits. */
    private final class FiberSleeper implements Combiner.Sleeper {
        private @Nullable Wait current;

        @Override
        public void await(BooleanSupplier condition, Duration atMost) {
            process.step();
            boolean[] late = {false};
            while (!condition.getAsBoolean() && !late[0]) {
                Wait wait = new Wait(world.time().running());
                current = wait;
                world.time().after(atMost.toNanos(), () -> {
                    late[0] = true;
                    wait.end();
                });
                process.waitForWake();
                current = null;
            }
        }

        @Override
        public void wake() {
            if (current != null) {
                current.end();
            }
        }
    }

    /** Ends once: a fiber must not be woken twice. */
    private final class Wait {
        private final Fiber fiber;
        private boolean over;

        Wait(Fiber fiber) {
            this.fiber = fiber;
        }

        void end() {
            if (!over) {
                over = true;
                world.time().wake(fiber);
            }
        }
    }
}
