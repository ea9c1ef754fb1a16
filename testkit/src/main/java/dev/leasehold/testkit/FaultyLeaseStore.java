package dev.leasehold.testkit;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A client of a store behind a faulty network: requests and replies are lost, late or repeated. A
 * caller whose answer is lost gets a {@link StoreUnavailableException}, as from a real store, and
 * cannot know whether the store did what was asked.
 *
 * <pre>{@code
 * FaultyLeaseStore faulty = new FaultyLeaseStore(real, timers);
 * faulty.dropReplyOnce(StoreOperation.ACQUIRE);
 * }</pre>
 *
 * <p>A requested fault applies to the next call of one of its operations, or of any operation if
 * none is named. For other calls the {@link Faults} decide. Delays use {@link Timers}, so nothing
 * here depends on real time or chance; for the same reason the store offers no watch, and waiting
 * clients poll. Calls of its register have no faults. It is as thread-safe as the store behind it.
 */
public final class FaultyLeaseStore implements LeaseStore {
    /** A call to the store. A lost reply discards its result. */
    private interface Call<T> {
        T make();
    }

    private final LeaseStore behind;
    private final Timers timers;
    private final Faults faults;
    private final FaultScript script = new FaultScript();

    /** Starts without faults. */
    public FaultyLeaseStore(LeaseStore behind, Timers timers) {
        this(behind, timers, operation -> Fault.NONE);
    }

    /** @param faults decides about every call for which no fault was requested */
    public FaultyLeaseStore(LeaseStore behind, Timers timers, Faults faults) {
        this.behind = behind;
        this.timers = timers;
        this.faults = faults;
    }

    /** The next such call does not reach the store. */
    public void dropRequestOnce(StoreOperation... operations) {
        script.request(Fault.REQUEST_DROPPED, operations);
    }

    /** The store executes the next such call, and its answer is lost. */
    public void dropReplyOnce(StoreOperation... operations) {
        script.request(Fault.REPLY_DROPPED, operations);
    }

    /** The next such call reaches the store late. */
    public void delayNext(Duration delay, StoreOperation... operations) {
        script.request(new Fault.Delayed(delay, Duration.ZERO), operations);
    }

    /** The answer to the next such call arrives late. */
    public void delayReplyOfNext(Duration delay, StoreOperation... operations) {
        script.request(new Fault.Delayed(Duration.ZERO, delay), operations);
    }

    /** The next such call reaches the store twice. */
    public void duplicateNext(StoreOperation... operations) {
        script.request(new Fault.Duplicated(Duration.ZERO), operations);
    }

    /** The next such call reaches the store a second time, this much later. */
    public void duplicateNextAfter(Duration later, StoreOperation... operations) {
        script.request(new Fault.Duplicated(later), operations);
    }

    /** The next {@code calls} such calls do not reach the store. */
    public void failNext(int calls, StoreOperation... operations) {
        for (int i = 0; i < calls; i++) {
            dropRequestOnce(operations);
        }
    }

    /** No such call reaches the store until {@link #heal()}. */
    public void failUntilHealed(StoreOperation... operations) {
        script.down(operations);
    }

    /** Ends all requested faults, also those that did not occur yet. */
    public void heal() {
        script.heal();
    }

    /**
     * The number of requested faults that did not occur yet. A test that ends with such faults did
     * not test what it claims.
     */
    public int faultsWaiting() {
        return script.waiting();
    }

    @Override
    public StoreId id() {
        return behind.id();
    }

    @Override
    public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        return send(StoreOperation.ACQUIRE, () -> behind.acquire(name, attempt, holder, ttl));
    }

    @Override
    public Acquisition intervene(Intervention move) {
        return send(StoreOperation.INTERVENE, () -> behind.intervene(move));
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        // A late request carries the values with which it was sent.
        List<RenewRequest> sent = List.copyOf(requests);
        return send(StoreOperation.RENEW, () -> behind.renew(sent));
    }

    @Override
    public Release release(Grant grant, Duration minHold) {
        return send(StoreOperation.RELEASE, () -> behind.release(grant, minHold));
    }

    @Override
    public void abandon(LeaseName name, AttemptId attempt) {
        send(StoreOperation.ABANDON, () -> {
            behind.abandon(name, attempt);
            return true;
        });
    }

    @Override
    public ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        return send(StoreOperation.PROGRESS, () -> behind.progress(grant, note, checkpoint));
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        return send(StoreOperation.INSPECT, () -> behind.inspect(name));
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        return send(StoreOperation.LIST, () -> behind.list(prefix, after, limit));
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        return send(StoreOperation.LIST, () -> behind.names(prefix, after, limit));
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        return send(StoreOperation.HISTORY, () -> behind.history(name, limit));
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        List<ForgetRequest> sent = List.copyOf(requests);
        return send(StoreOperation.FORGET, () -> behind.forget(sent));
    }

    @Override
    public long floor() {
        return send(StoreOperation.INSPECT, behind::floor);
    }

    @Override
    public CasRegister register() {
        return behind.register();
    }

    @Override
    public List<String> warnings() {
        return behind.warnings();
    }

    @Override
    public void close() {
        behind.close();
    }

    private <T> T send(StoreOperation operation, Call<T> call) {
        Fault fromScript = script.next(operation);
        Fault fault = fromScript instanceof Fault.None ? faults.next(operation) : fromScript;
        if (fault instanceof Fault.RequestDropped) {
            throw lost(operation);
        }
        if (fault instanceof Fault.ReplyDropped) {
            call.make();
            throw lost(operation);
        }
        if (fault instanceof Fault.Delayed delayed) {
            pause(operation, delayed.request());
            T answer = call.make();
            pause(operation, delayed.reply());
            return answer;
        }
        T answer = call.make();
        if (fault instanceof Fault.Duplicated duplicated) {
            repeat(call, duplicated.later());
        }
        return answer;
    }

    private void repeat(Call<?> call, Duration later) {
        if (later.isZero()) {
            call.make();
        } else {
            timers.after(later, call::make);
        }
    }

    private void pause(StoreOperation operation, Duration duration) {
        if (duration.isZero()) {
            return;
        }
        try {
            timers.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw lost(operation);
        }
    }

    /**
     * The message is the same whether the request or the reply was lost: a caller must not be able
     * to distinguish them.
     */
    private static StoreUnavailableException lost(StoreOperation operation) {
        return new StoreUnavailableException("no answer to " + operation + ": whether it happened is unknown");
    }
}
