package dev.leasehold.mcp;

import dev.leasehold.internal.Heartbeat;
import dev.leasehold.internal.HeldGrant;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The leases that are renewed while one connection lives, and for a limited time. A lease that is
 * lost or whose time is over is no longer renewed; the agent learns of it at its next call.
 */
final class KeptLeases implements AutoCloseable {
    private static final int MOST = 100;

    private final LeaseStore store;
    private final EngineContext context;
    private final Heartbeat heartbeat;
    private final Duration longest;
    private final ToolFailures failures;
    private final Map<String, Kept> kept = new LinkedHashMap<>();
    private boolean closed;

    private record Kept(HeldGrant held, Runnable cancelEnd) {}

    /** @param longest how long a lease is kept at most */
    KeptLeases(LeaseStore store, EngineContext context, Duration longest, ToolFailures failures) {
        this.store = store;
        this.context = context;
        this.heartbeat = new Heartbeat(store, context);
        this.longest = longest;
        this.failures = failures;
    }

    Duration longest() {
        return longest;
    }

    synchronized int size() {
        return kept.size();
    }

    /** @throws ToolFailure if no further lease can be kept alive */
    synchronized void requireRoom() {
        if (kept.size() >= MOST) {
            throw new ToolFailure(ToolResult.failed(
                    "invalid",
                    MOST + " leases are kept alive on this connection already: nothing was changed. Release some, or"
                            + " acquire without keep_alive"));
        }
    }

    /** @param asked the clocks before the store was asked for the lease */
    void keep(Grant grant, Duration ttl, ClockReading asked) {
        String key = grant.encode();
        HeldGrant held = new HeldGrant(grant, LeaseTerms.ofTtl(ttl), asked, new Observer(key));
        synchronized (this) {
            if (closed) {
                // The connection ended while the store was asked.
                store.release(grant, Duration.ZERO);
                return;
            }
            if (kept.containsKey(key)) {
                // A repeated call got the same lease, and its time does not begin again.
                return;
            }
            // The limit first: a lease that is renewed without one would be renewed for ever.
            Runnable cancelEnd = context.timers().after(longest, () -> end(key));
            kept.put(key, new Kept(held, cancelEnd));
            heartbeat.add(held);
        }
    }

    /** Renews it no longer. */
    void forget(Grant grant) {
        end(grant.encode());
    }

    private synchronized void end(String key) {
        Kept ended = kept.remove(key);
        if (ended != null) {
            ended.cancelEnd.run();
            ended.held.close();
            heartbeat.remove(ended.held);
        }
    }

    /** Releases all of them. What cannot be released expires. */
    @Override
    @SuppressWarnings("CatchingUnchecked")
    public void close() {
        List<Grant> grants = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (Kept one : kept.values()) {
                grants.add(one.held.grant());
            }
        }
        for (Grant grant : grants) {
            forget(grant);
            try {
                store.release(grant, Duration.ZERO);
            } catch (RuntimeException | Error e) {
                failures.log("a lease could not be released; it ends with its ttl", e);
            }
        }
        heartbeat.close();
    }

    private final class Observer implements HeldGrant.Observer {
        private final String key;

        Observer(String key) {
            this.key = key;
        }

        @Override
        public void renewed(Duration gap) {}

        @Override
        public void lost(Loss loss) {
            end(key);
        }
    }
}
