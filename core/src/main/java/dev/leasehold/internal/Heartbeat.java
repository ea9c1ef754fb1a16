package dev.leasehold.internal;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Timers.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Renews all leases that a process holds in one store, with one call per round. On another thread
 * than that call, which may hang, it ends the leases whose trusted time has passed and those whose
 * work does not report the progress it promised.
 */
public final class Heartbeat implements AutoCloseable {
    /**
     * Timers stand still while a machine sleeps. This bounds how long after waking up a lease is
     * found to be over.
     */
    private static final long MAX_PAUSE_NANOS = 1_000_000_000L;

    private static final long MIN_PAUSE_NANOS = 1_000_000L;

    private final LeaseStore store;
    private final EngineContext context;
    private final Set<HeldGrant> leases = new LinkedHashSet<>();
    private boolean asking;
    private boolean closed;
    private long nextLookNanos = Long.MAX_VALUE;
    private Runnable cancelLook = () -> {};

    public Heartbeat(LeaseStore store, EngineContext context) {
        this.store = store;
        this.context = context;
    }

    /** If this throws, nothing watches the lease, and the caller must give it back. */
    public void add(HeldGrant held) {
        ClockReading now = context.ticker().read();
        synchronized (this) {
            lookWithin(held.nanosUntilNextLook(now), now);
            leases.add(held);
        }
    }

    public synchronized void remove(HeldGrant held) {
        leases.remove(held);
    }

    @Override
    public synchronized void close() {
        closed = true;
        leases.clear();
        cancelLook.run();
    }

    /**
     * Ends the leases that are no longer trusted, and starts a renewal of those that are due. Never
     * blocks. Nothing else watches the leases, so if this fails, all of them are lost.
     */
    @SuppressWarnings("CatchingUnchecked")
    private void look() {
        try {
            ClockReading now = context.ticker().read();
            for (HeldGrant held : watch(now)) {
                lose(held, held.untrusted(now));
            }
        } catch (RuntimeException | Error e) {
            giveAllUp(e);
        }
    }

    /**
     * Plans the next look, and asks the store if it is time. Returns the leases whose trusted time
     * has passed.
     */
    private synchronized List<HeldGrant> watch(ClockReading now) {
        List<HeldGrant> untrusted = new ArrayList<>();
        List<HeldGrant> suspects = new ArrayList<>();
        List<HeldGrant> due = new ArrayList<>();
        nextLookNanos = Long.MAX_VALUE;
        boolean anyDue = false;
        leases.removeIf(HeldGrant::isOver);
        for (HeldGrant held : leases) {
            if (held.remaining(now).isZero()) {
                untrusted.add(held);
            } else if (held.isStuck(now)) {
                if (held.mayAskAboutProgress(now)) {
                    suspects.add(held);
                }
            } else if (held.isNearlyDue(now)) {
                due.add(held);
                anyDue |= held.nanosUntilDue(now) <= 0;
            }
        }
        boolean wasAsking = asking;
        if ((anyDue || !suspects.isEmpty()) && !asking) {
            startAsking(due, suspects, now);
        }
        long next = MAX_PAUSE_NANOS;
        for (HeldGrant held : leases) {
            next = Math.min(next, wasAsking ? held.nanosTrusted(now) : held.nanosUntilNextLook(now));
        }
        if (!leases.isEmpty()) {
            lookWithin(next, now);
        }
        return untrusted;
    }

    /**
     * Called with the lock held. If no thread can be started, this counts as a store that did not
     * answer.
     */
    @SuppressWarnings("CatchingUnchecked")
    private void startAsking(List<HeldGrant> due, List<HeldGrant> suspects, ClockReading now) {
        try {
            asking = true;
            context.timers().run(Lane.STORE, () -> ask(due, suspects));
        } catch (RuntimeException | Error e) {
            asking = false;
            String why = "the store could not be asked: " + Failure.reason(e);
            due.forEach(held -> held.notAnswered(now, why));
            suspects.forEach(held -> held.notAnswered(now, why));
        }
    }

    private void giveAllUp(Throwable cause) {
        List<HeldGrant> all;
        synchronized (this) {
            all = List.copyOf(leases);
            leases.clear();
        }
        Failure.log("leases can no longer be watched; all of them are lost", cause);
        Loss loss = new Loss.Unreachable("this process can no longer watch it: " + Failure.reason(cause));
        all.forEach(held -> lose(held, loss));
    }

    /** The only method that waits for the store. */
    private void ask(List<HeldGrant> due, List<HeldGrant> suspects) {
        try {
            if (!due.isEmpty()) {
                renew(due);
            }
            for (HeldGrant suspect : suspects) {
                judgeProgress(suspect);
            }
        } finally {
            synchronized (this) {
                asking = false;
            }
            lookSoon();
        }
    }

    /** If this fails, the look that is already planned still happens. */
    private void lookSoon() {
        ClockReading now = context.ticker().read();
        synchronized (this) {
            lookWithin(0, now);
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void renew(List<HeldGrant> due) {
        ClockReading asked = context.ticker().read();
        List<RenewRequest> requests = new ArrayList<>(due.size());
        for (HeldGrant held : due) {
            requests.add(new RenewRequest(held.grant(), held.terms().ttl()));
        }
        try {
            List<Renewal> results = List.copyOf(store.renew(requests));
            if (results.size() != due.size()) {
                throw new IllegalStateException("the store answered " + results.size() + " renewals of " + due.size());
            }
            for (int i = 0; i < due.size(); i++) {
                settle(due.get(i), results.get(i), asked);
            }
        } catch (RuntimeException | Error e) {
            // The outcome is unknown for all of them. They are renewed again soon, after a pause
            // however the store failed, and lost only when their trusted time has passed.
            due.forEach(held -> held.notAnswered(asked, Failure.reason(e)));
        }
    }

    private void settle(HeldGrant held, Renewal result, ClockReading asked) {
        if (result instanceof Renewal.NotRenewed not) {
            lose(held, not.loss());
        } else if (result instanceof Renewal.Unknown unknown) {
            held.notAnswered(asked, unknown.why());
        } else {
            Duration gap = held.renewed(asked);
            report(() -> held.observer().renewed(gap));
        }
    }

    /**
     * Work in another process reports its progress to the store, so the store is asked before the
     * work counts as stuck.
     */
    @SuppressWarnings("CatchingUnchecked")
    private void judgeProgress(HeldGrant suspect) {
        ClockReading asked = context.ticker().read();
        try {
            Optional<LeaseSnapshot> snapshot = store.inspect(suspect.grant().name());
            LeaseRecord.Progress progress = snapshot.filter(
                            s -> s.lease().token().equals(suspect.grant().token()))
                    .map(s -> s.lease().progress())
                    .orElse(null);
            if (progress != null && snapshot.isPresent()) {
                suspect.progressed(asked.minus(
                        Duration.between(progress.at(), snapshot.get().at())));
            }
        } catch (RuntimeException | Error e) {
            // Unknown. If this goes on, the trusted time ends the lease.
            suspect.notAnswered(asked, Failure.reason(e));
            return;
        }
        ClockReading now = context.ticker().read();
        if (suspect.isStuck(now)) {
            lose(suspect, suspect.noProgress(now));
        }
    }

    private void lose(HeldGrant held, Loss loss) {
        if (held.lose(loss)) {
            remove(held);
            report(() -> held.observer().lost(loss));
        }
    }

    /** An observer that fails must not keep the other leases from being watched. */
    @SuppressWarnings("CatchingUnchecked")
    private static void report(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException | Error e) {
            Failure.log("the observer of a lease failed", e);
        }
    }

    /** Called with the lock held. */
    private void lookWithin(long nanos, ClockReading now) {
        long pause = Math.max(MIN_PAUSE_NANOS, Math.min(nanos, MAX_PAUSE_NANOS));
        long at = now.monotonicNanos() + pause;
        if (!closed && (nextLookNanos == Long.MAX_VALUE || at - nextLookNanos < 0)) {
            Runnable earlier = cancelLook;
            cancelLook = context.timers().after(Duration.ofNanos(pause), this::look);
            nextLookNanos = at;
            earlier.run();
        }
    }
}
