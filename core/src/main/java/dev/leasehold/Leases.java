package dev.leasehold;

import dev.leasehold.internal.Acquirer;
import dev.leasehold.internal.Failure;
import dev.leasehold.internal.Heartbeat;
import dev.leasehold.internal.HeldGrant;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers.Lane;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entry point: acquires leases in one store and keeps them renewed.
 *
 * <pre>{@code
 * try (Leases leases = Leases.open("file:/shared/leases")) {
 *     leases.run("daily-publish", lease -> FencedFile.at(page).admit(lease.grant(), render()));
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads; make one and share it. Thousands of leases use a handful of threads and one call a
 * renewal round.
 */
public final class Leases implements AutoCloseable {
    private static final Duration DEFAULT_TTL = Duration.ofSeconds(90);

    private final LeaseStore store;
    private final EngineContext context;
    private final boolean ownTimers;
    private final Holder holder;
    private final LeaseTerms terms;
    private final LeaseListener listener;
    private final Acquirer acquirer;
    private final Heartbeat heartbeat;
    private final Map<HeldGrant, Lease> held = new ConcurrentHashMap<>();

    private Leases(Builder builder) {
        this.store = builder.store;
        this.ownTimers = builder.context == null;
        this.context = builder.context == null ? SystemContext.create() : builder.context;
        this.holder = builder.holder == null ? SystemContext.defaultHolder(context.ids()) : builder.holder;
        this.terms = builder.terms;
        this.listener = builder.listener;
        this.acquirer = new Acquirer(store, context);
        this.heartbeat = new Heartbeat(store, context, new Relay());
    }

    /** Opens the store at a URL such as {@code file:/shared/leases}, with the default terms. */
    public static Leases open(String url) {
        return over(Stores.open(url)).build();
    }

    public static Builder over(LeaseStore store) {
        return new Builder(store);
    }

    /** Work done under a lease. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Lease lease) throws Exception;
    }

    /** Tries once. */
    public AcquireResult tryAcquire(String name) {
        return tryAcquire(LeaseName.of(name), terms);
    }

    public AcquireResult tryAcquire(LeaseName name, LeaseTerms leaseTerms) {
        AcquireResult attempt = probe(name, leaseTerms);
        if (attempt instanceof AcquireResult.Busy busy) {
            tell(l -> l.skipped(name, busy));
        }
        return attempt;
    }

    /** Tries until {@code wait} has passed. */
    public AcquireResult acquireWithin(LeaseName name, LeaseTerms leaseTerms, Duration wait)
            throws InterruptedException {
        AcquireResult attempt = ask(name, leaseTerms, wait);
        if (attempt instanceof AcquireResult.Busy busy) {
            tell(l -> l.skipped(name, busy));
        }
        return attempt;
    }

    /** Tries once. That it is busy is no skip to tell the listener of: whoever asks like this asks again. */
    public AcquireResult probe(LeaseName name, LeaseTerms leaseTerms) {
        try {
            return ask(name, leaseTerms, Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while asking for lease " + name, e);
        }
    }

    private AcquireResult ask(LeaseName name, LeaseTerms leaseTerms, Duration wait) throws InterruptedException {
        Acquirer.Outcome outcome = acquirer.acquire(name, holder, leaseTerms.ttl(), wait);
        if (outcome instanceof Acquirer.Won won) {
            return new AcquireResult.Acquired(hold(won, leaseTerms));
        }
        Acquisition.Busy taken = ((Acquirer.Taken) outcome).busy();
        return new AcquireResult.Busy(taken.token(), taken.holder(), taken.remaining());
    }

    /**
     * Takes a lease from the holder of a token, whatever its deadline says: the token rises, and the holder before is told
     * at its next renewal. A supervisor's move.
     *
     * @param seen the token that is to be replaced; if another one is current by now, nothing is changed
     * @param attempt who asks again with the same id, from wherever, gets the same grant and does not raise the token again
     * @return empty if another token is current, or this attempt has had its grant, and it is over
     */
    public Optional<Lease> takeOver(
            LeaseName name, LeaseTerms leaseTerms, FencingToken seen, AttemptId attempt, Note reason) {
        ClockReading asked = now();
        Intervention move = Intervention.takeover(name, attempt, holder, leaseTerms.ttl(), reason);
        Acquisition answer = store.intervene(move.ifTokenIs(seen));
        return answer instanceof Acquisition.Granted granted
                ? Optional.of(hold(new Acquirer.Won(granted, asked), leaseTerms))
                : Optional.empty();
    }

    /**
     * Runs the work if the lease is free, on this thread, which is interrupted when the lease is lost.
     *
     * @throws Exception what the work threw while the lease was trusted
     */
    public <T> RunOutcome<T> run(String name, Work<T> work) throws Exception {
        return run(LeaseName.of(name), terms, work);
    }

    public <T> RunOutcome<T> run(LeaseName name, LeaseTerms leaseTerms, Work<T> work) throws Exception {
        AcquireResult attempt = tryAcquire(name, leaseTerms);
        if (attempt instanceof AcquireResult.Busy busy) {
            return new RunOutcome.Skipped<>(busy);
        }
        try (Lease lease = ((AcquireResult.Acquired) attempt).held()) {
            return new InterruptibleRun<>(lease, work).run();
        }
    }

    public Holder holder() {
        return holder;
    }

    public LeaseStore store() {
        return store;
    }

    /** Where time, waiting and chance come from: what is built on leases takes them from the same place. */
    public EngineContext context() {
        return context;
    }

    /** Stops renewing and closes the store. What is still held then lasts until its ttl: close leases first. */
    @Override
    public void close() {
        heartbeat.close();
        if (ownTimers) {
            context.timers().close();
        }
        store.close();
    }

    private Lease hold(Acquirer.Won won, LeaseTerms leaseTerms) {
        HeldGrant grant = new HeldGrant(won.granted().grant(), leaseTerms, won.asked());
        Lease lease = new Lease(this, grant);
        held.put(grant, lease);
        try {
            heartbeat.add(grant);
        } catch (RuntimeException | Error e) {
            giveBack(lease, e);
            throw e;
        }
        tell(l -> l.acquired(lease, won.granted().transfer()));
        return lease;
    }

    /** Nobody can watch over the lease, so nobody may believe to hold it. */
    @SuppressWarnings("CatchingUnchecked")
    private void giveBack(Lease lease, Throwable cause) {
        try {
            store.release(lease.detach(), Duration.ZERO);
        } catch (RuntimeException | Error e) {
            // Nobody renews it: its ttl frees the name.
            cause.addSuppressed(e);
        }
    }

    ClockReading now() {
        return context.ticker().read();
    }

    /**
     * Tells the listener; what is built on leases tells of its own events here. A listener that throws is the user's fault, and
     * no reason to leave a lease half acquired or half released.
     */
    @SuppressWarnings("CatchingUnchecked")
    public void tell(Consumer<LeaseListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException | Error e) {
            Failure.log("a lease listener failed", e);
        }
    }

    /** Calls back on a thread of its own, or on this one if no other can be had: late or slow is better than never. */
    @SuppressWarnings("CatchingUnchecked")
    void callBack(Runnable callback) {
        try {
            context.timers().run(Lane.CALLBACK, callback);
        } catch (RuntimeException | Error noThread) {
            callBackHere(callback);
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private static void callBackHere(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            Failure.log("a lease callback failed", e);
        }
    }

    void forget(Lease lease, HeldGrant grant) {
        heartbeat.remove(grant);
        held.remove(grant, lease);
    }

    Release release(Lease lease) {
        // A thread that was told to stop must still be able to give its lease back.
        boolean interrupted = Thread.interrupted();
        try {
            Release release = store.release(lease.grant(), lease.terms().minHold());
            tell(l -> l.released(lease, release));
            return release;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Passes what the heartbeat sees to those who hold the leases. */
    private final class Relay implements Heartbeat.Observer {
        @Override
        public void renewed(HeldGrant grant, Duration gap) {
            Lease lease = held.get(grant);
            if (lease != null) {
                tell(l -> l.renewed(lease, gap));
            }
        }

        @Override
        public void lost(HeldGrant grant, Loss loss) {
            Lease lease = held.get(grant);
            if (lease != null) {
                lease.tellLost(loss);
                callBack(() -> tell(l -> l.lost(lease, loss)));
            }
        }
    }

    /** Puts together what differs from the defaults. */
    public static final class Builder {
        private final LeaseStore store;
        private LeaseTerms terms = LeaseTerms.ofTtl(DEFAULT_TTL);
        private LeaseListener listener = LeaseListener.NONE;
        private @Nullable Holder holder;
        private @Nullable EngineContext context;

        private Builder(LeaseStore store) {
            this.store = store;
        }

        public Builder terms(LeaseTerms value) {
            terms = value;
            return this;
        }

        public Builder listener(LeaseListener value) {
            listener = value;
            return this;
        }

        public Builder holder(Holder value) {
            holder = value;
            return this;
        }

        /** Where time, waiting and chance come from; a test hands in its own. */
        public Builder context(EngineContext value) {
            context = value;
            return this;
        }

        public Leases build() {
            return new Leases(this);
        }
    }
}
