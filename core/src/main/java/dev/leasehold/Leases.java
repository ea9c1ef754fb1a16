package dev.leasehold;

import dev.leasehold.internal.Acquirer;
import dev.leasehold.internal.Failure;
import dev.leasehold.internal.Heartbeat;
import dev.leasehold.internal.HeldGrant;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
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
import java.util.Optional;
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
 * <p>Safe for use by many threads; create one and share it. Thousands of leases share a handful of
 * threads and one store call per renewal round.
 */
public final class Leases implements AutoCloseable {
    private final LeaseStore store;
    private final EngineContext context;
    private final boolean ownTimers;
    private final Holder holder;
    private final LeaseTerms terms;
    private final LeaseListener listener;
    private final Heartbeat heartbeat;

    private Leases(Builder builder) {
        this.store = builder.store;
        this.ownTimers = builder.context == null;
        this.context = builder.context == null ? SystemContext.create() : builder.context;
        this.holder = builder.holder == null ? SystemContext.defaultHolder(context.ids()) : builder.holder;
        this.terms = builder.terms;
        this.listener = builder.listener;
        this.heartbeat = new Heartbeat(store, context);
    }

    /**
     * Opens the store at a URL such as {@code file:/shared/leases}, with the default terms. The store
     * must exist: see {@link Stores#create}.
     */
    public static Leases open(String url) {
        return over(Stores.open(url)).build();
    }

    /** Uses a store that is open already; closing the leases closes it. */
    public static Builder over(LeaseStore store) {
        return new Builder(store);
    }

    /** Work that runs under a lease. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Lease lease) throws Exception;
    }

    /** Tries once. */
    public AcquireResult tryAcquire(String name) {
        return tryAcquire(LeaseName.of(name), terms);
    }

    /** Tries once. */
    public AcquireResult tryAcquire(LeaseName name, LeaseTerms leaseTerms) {
        return reportSkip(name, poll(name, leaseTerms));
    }

    /** Tries until the lease is acquired or {@code wait} has passed. */
    public AcquireResult acquireWithin(LeaseName name, LeaseTerms leaseTerms, Duration wait)
            throws InterruptedException {
        return reportSkip(name, acquire(name, leaseTerms, wait));
    }

    /**
     * Tries once, for callers that will try again: a busy lease is not reported to the listener as
     * a skip.
     */
    public AcquireResult poll(LeaseName name, LeaseTerms leaseTerms) {
        try {
            return acquire(name, leaseTerms, Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while acquiring lease " + name, e);
        }
    }

    private AcquireResult reportSkip(LeaseName name, AcquireResult result) {
        if (result instanceof AcquireResult.Busy busy) {
            notifyListener(l -> l.skipped(name, busy));
        }
        return result;
    }

    private AcquireResult acquire(LeaseName name, LeaseTerms leaseTerms, Duration wait) throws InterruptedException {
        Acquirer acquirer = new Acquirer(store, context, name, holder, leaseTerms.ttl());
        Acquisition answer = acquirer.acquire(wait);
        if (answer instanceof Acquisition.Busy busy) {
            return new AcquireResult.Busy(busy.token(), busy.holder(), busy.remaining());
        }
        return new AcquireResult.Acquired(hold((Acquisition.Granted) answer, leaseTerms, acquirer.asked()));
    }

    /**
     * Takes a lease from its holder, whatever its deadline says. The token rises, and the previous
     * holder learns of it at its next renewal. Meant for supervisors.
     *
     * @param seen the token to replace; if another token is current, nothing is changed
     * @param attempt identifies this takeover: a retry with the same id gets the same grant and
     *     does not raise the token again
     * @return empty if another token is current, or if the grant of this attempt is over
     */
    public Optional<Lease> takeOver(
            LeaseName name, LeaseTerms leaseTerms, FencingToken seen, AttemptId attempt, Note reason) {
        ClockReading asked = now();
        Intervention move = Intervention.takeover(name, attempt, holder, leaseTerms.ttl(), reason);
        Acquisition answer = store.intervene(move.ifTokenIs(seen));
        return answer instanceof Acquisition.Granted granted
                ? Optional.of(hold(granted, leaseTerms, asked))
                : Optional.empty();
    }

    /**
     * Goes on with a grant that another process acquired and passed on. The token rises, so a grant
     * can be adopted only once, and a process that still uses it is refused from then on.
     *
     * @param attempt identifies this adoption: a retry with the same id gets the same lease
     * @throws IllegalArgumentException if the grant is bare (a token alone, which anybody can read in
     *     the store) or of another store
     * @throws LeaseLostException if the grant is not current; nothing was changed
     */
    public Lease adopt(Grant grant, LeaseTerms leaseTerms, AttemptId attempt) {
        if (grant.attempt() == null) {
            throw new IllegalArgumentException("only a whole grant can be adopted, not a bare token: " + grant);
        }
        if (grant.store() != null && !grant.store().equals(store.id())) {
            throw new IllegalArgumentException(grant + " was granted by store " + grant.store() + ", but this is store "
                    + store.id() + ". Use the store that granted it");
        }
        Loss loss = lossOf(grant, attempt);
        Optional<Lease> lease = loss == null
                ? takeOver(grant.name(), leaseTerms, grant.token(), attempt, Note.of("handed over"))
                : Optional.empty();
        return lease.orElseThrow(() -> new LeaseLostException(
                grant, loss != null ? loss : new Loss.Lapsed("another process was granted it meanwhile")));
    }

    /** Null if the grant is current, or was adopted by this very attempt. */
    private @Nullable Loss lossOf(Grant grant, AttemptId attempt) {
        LeaseSnapshot seen = store.inspect(grant.name()).orElse(null);
        if (seen == null) {
            return Loss.Forgotten.neverIssued(grant);
        }
        return seen.lease().owner().attempt().equals(attempt)
                ? null
                : seen.lease().lossOf(grant, seen.at());
    }

    /**
     * Runs the work if the lease is free. The work runs on this thread, which is interrupted when
     * the lease is lost.
     *
     * @throws Exception what the work threw while the lease was trusted
     */
    public <T> RunOutcome<T> run(String name, Work<T> work) throws Exception {
        return run(LeaseName.of(name), terms, work);
    }

    /** The same, with terms for this run. */
    public <T> RunOutcome<T> run(LeaseName name, LeaseTerms leaseTerms, Work<T> work) throws Exception {
        AcquireResult result = tryAcquire(name, leaseTerms);
        if (result instanceof AcquireResult.Busy busy) {
            return new RunOutcome.Skipped<>(busy);
        }
        return runAndRelease((AcquireResult.Acquired) result, work);
    }

    /**
     * Runs the work if the lease is free within {@code wait}.
     *
     * @throws InterruptedException if this thread is interrupted while it waits; the work did not
     *     run
     */
    public <T> RunOutcome<T> runWithin(LeaseName name, LeaseTerms leaseTerms, Duration wait, Work<T> work)
            throws Exception {
        AcquireResult result = acquireWithin(name, leaseTerms, wait);
        return result instanceof AcquireResult.Busy busy
                ? new RunOutcome.Skipped<>(busy)
                : runAndRelease((AcquireResult.Acquired) result, work);
    }

    private static <T> RunOutcome<T> runAndRelease(AcquireResult.Acquired acquired, Work<T> work) throws Exception {
        try (Lease lease = acquired.held()) {
            return lease.run(work);
        }
    }

    public Holder holder() {
        return holder;
    }

    /** The terms of leases that are acquired without terms of their own. */
    public LeaseTerms terms() {
        return terms;
    }

    public LeaseStore store() {
        return store;
    }

    /** The listener of these leases. For extensions such as jobs; ordinary callers have no use for it. */
    public LeaseListener listener() {
        return listener;
    }

    /**
     * The clocks, timers and random numbers in use. For extensions such as jobs and work, which
     * should use the same; ordinary callers have no use for it.
     */
    public EngineContext context() {
        return context;
    }

    /**
     * Stops renewing and closes the store. Leases that are still held last until their ttl, so
     * close them first.
     */
    @Override
    public void close() {
        heartbeat.close();
        if (ownTimers) {
            context.timers().close();
        }
        store.close();
    }

    private Lease hold(Acquisition.Granted granted, LeaseTerms leaseTerms, ClockReading asked) {
        Lease lease = new Lease(this, granted, leaseTerms, asked);
        try {
            heartbeat.add(lease.held());
        } catch (RuntimeException | Error e) {
            giveBack(lease, e);
            throw e;
        }
        notifyListener(l -> l.acquired(lease, granted.transfer()));
        return lease;
    }

    /** A lease that cannot be watched must not be held. */
    @SuppressWarnings("CatchingUnchecked")
    private void giveBack(Lease lease, Throwable cause) {
        try {
            store.release(lease.detach(), Duration.ZERO);
        } catch (RuntimeException | Error e) {
            // Nobody renews it, so its ttl frees the name.
            cause.addSuppressed(e);
        }
    }

    ClockReading now() {
        return context.ticker().read();
    }

    /** Calls the listener. If it throws, no lease may be left half acquired or half released. */
    @SuppressWarnings("CatchingUnchecked")
    void notifyListener(Consumer<LeaseListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException | Error e) {
            Failure.log("a lease listener failed", e);
        }
    }

    /**
     * Calls back on another thread, or on this one if none can be started: a late or slow callback
     * is better than none.
     */
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

    void stopRenewing(HeldGrant grant) {
        heartbeat.remove(grant);
    }

    Release release(Lease lease, Duration minHold) {
        // An interrupted thread must still be able to give its lease back.
        boolean interrupted = Thread.interrupted();
        try {
            Release release = store.release(lease.grant(), minHold);
            notifyListener(l -> l.released(lease, release));
            return release;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Settings that differ from the defaults. */
    public static final class Builder {
        private final LeaseStore store;
        private LeaseTerms terms = LeaseTerms.DEFAULT;
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

        /** The clocks, timers and random numbers to use; for tests. */
        public Builder context(EngineContext value) {
            context = value;
            return this;
        }

        public Leases build() {
            return new Leases(this);
        }
    }
}
