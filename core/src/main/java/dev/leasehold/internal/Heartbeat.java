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
 * Renews all leases that one process holds in one store: one call a round, however many there are. It also watches, apart
 * from the call that may hang, that no lease is trusted longer than it may be, and that work which promised progress makes
 * some.
 */
public final class Heartbeat implements AutoCloseable {
    /** A machine that slept wakes with timers that stood still; this bounds how late that is noticed. */
    private static final long MAX_BLIND_NANOS = 1_000_000_000L;

    private static final long MIN_PAUSE_NANOS = 1_000_000L;

    /** What happens to leases, told by the thread that watches over all of them: telling must be quick. */
    public interface Observer {
        void renewed(HeldGrant held, Duration gap);

        void lost(HeldGrant held, Loss loss);
    }

    private final LeaseStore store;
    private final EngineContext context;
    private final Observer observer;
    private final Set<HeldGrant> leases = new LinkedHashSet<>();
    private boolean asking;
    private boolean closed;
    private long nextLookNanos = Long.MAX_VALUE;
    private Runnable cancelLook = () -> {};

    public Heartbeat(LeaseStore store, EngineContext context, Observer observer) {
        this.store = store;
        this.context = context;
        this.observer = observer;
    }

    /** If this throws, nobody watches over the lease: it must not be held. */
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
     * Ends what is not trusted any more, and sends what is due to the store. Never blocks. Nobody else watches over the
     * leases, so if this fails all of them are given up, and their holders told.
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

    /** Plans the next look and asks the store if it is time to; returns the leases whose trusted time has passed. */
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
        long next = MAX_BLIND_NANOS;
        for (HeldGrant held : leases) {
            next = Math.min(next, wasAsking ? held.nanosTrusted(now) : held.nanosUntilNextLook(now));
        }
        if (!leases.isEmpty()) {
            lookWithin(next, now);
        }
        return untrusted;
    }

    /** Called with the lock held. Without a thread to ask on, the store did not answer: it is asked again soon. */
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
        Failure.log("leases cannot be watched any more", cause);
        Loss loss = new Loss.Unreachable("this process cannot watch it any more: " + Failure.reason(cause));
        all.forEach(held -> lose(held, loss));
    }

    /** The only place that waits for the store. */
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

    /** If this fails, the look that is planned anyway comes later. */
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
            // Unknown for all of them: asked again soon, and lost only when the trusted time has passed. A store that
            // fails in a way it should not is no reason to ask it without a pause.
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
            tell(() -> observer.renewed(held, gap));
        }
    }

    /** The work may report progress from another process, to the store: look there before calling it stuck. */
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
            // Cannot tell. The trusted time still ends it if this goes on.
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
            tell(() -> observer.lost(held, loss));
        }
    }

    /** Whoever is told of one lease must not keep the others from being looked after. */
    @SuppressWarnings("CatchingUnchecked")
    private static void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error e) {
            Failure.log("a holder could not be told what became of its lease", e);
        }
    }

    /** Called with the lock held. */
    private void lookWithin(long nanos, ClockReading now) {
        long pause = Math.max(MIN_PAUSE_NANOS, Math.min(nanos, MAX_BLIND_NANOS));
        long at = now.monotonicNanos() + pause;
        if (!closed && (nextLookNanos == Long.MAX_VALUE || at - nextLookNanos < 0)) {
            Runnable earlier = cancelLook;
            cancelLook = context.timers().after(Duration.ofNanos(pause), this::look);
            nextLookNanos = at;
            earlier.run();
        }
    }
}
