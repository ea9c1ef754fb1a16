package dev.leasehold.simulator;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The network between a process and a server: messages take time, overtake each other, get lost and
 * arrive twice. A sender waits for the answer until its patience ends, and then does not know the
 * outcome.
 */
final class SimulatedNetwork {
    private static final long MICROS = 1_000;
    private static final long USUAL_DELAY = 2_000 * MICROS;

    private final SimulatedWorld world;

    SimulatedNetwork(SimulatedWorld world) {
        this.world = world;
    }

    /** A pending answer. */
    private static final class Reply<T> {
        final Fiber sender;

        @Nullable
        T value;

        @Nullable
        RuntimeException failure;

        boolean over;

        Reply(Fiber sender) {
            this.sender = sender;
        }

        /** The reply to a duplicated request, which is dropped. */
        static <T> Reply<T> dropped() {
            Reply<T> reply = new Reply<>(new Fiber("no sender"));
            reply.over = true;
            return reply;
        }
    }

    /**
     * Runs the request at the server in one step.
     *
     * @param request runs at the server; its exception travels back
     * @return empty if no answer came in time
     */
    <T> Optional<T> call(SimulatedProcess process, SimulatedServer server, Supplier<T> request) {
        process.step();
        Reply<T> reply = new Reply<>(world.time().running());
        if (!world.faultInjector().happens(SimulatedFault.LOST_REQUEST)) {
            world.time().after(delay(), () -> runAtServer(server, request, reply));
        }
        if (server.mayRepeatRequests() && world.faultInjector().happens(SimulatedFault.DUPLICATE)) {
            world.time().after(delay() + delay(), () -> runAtServer(server, request, Reply.dropped()));
        }
        world.time().after(world.scenario().patience(), () -> end(reply));
        process.waitForWake();
        process.step();
        if (reply.failure != null) {
            throw reply.failure;
        }
        return Optional.ofNullable(reply.value);
    }

    private <T> void runAtServer(SimulatedServer server, Supplier<T> request, Reply<T> reply) {
        if (server.isUnavailable()) {
            return;
        }
        T value = null;
        RuntimeException failure = null;
        try {
            value = request.get();
        } catch (ServerFailure e) {
            failure = e;
        }
        if (reply.over || world.faultInjector().happens(SimulatedFault.LOST_REPLY)) {
            return;
        }
        T answer = value;
        RuntimeException problem = failure;
        world.time().after(delay(), () -> {
            if (!reply.over) {
                reply.value = answer;
                reply.failure = problem;
                end(reply);
            }
        });
    }

    private void end(Reply<?> reply) {
        if (!reply.over) {
            reply.over = true;
            world.time().wake(reply.sender);
        }
    }

    private long delay() {
        return world.faultInjector().happens(SimulatedFault.DELAY)
                ? world.random().upTo(2 * world.scenario().ttl().toNanos())
                : world.random().between(50 * MICROS, USUAL_DELAY);
    }
}
