package dev.leasehold.simulator;

import dev.leasehold.Lease;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.CasLeaseStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Observes everything that happens, reading the store directly, and reports violations. It does not
 * depend on how the engine works.
 */
final class Invariants {
    static final LeaseName NAME = LeaseName.of("job");

    private final SimulatedWorld world;
    private final SimulatedProcess observer;
    private final LeaseStore truth;
    private final LeaseTime leaseTime;
    private final Map<Long, Transfer> issued = new HashMap<>();
    private final Map<Long, SimulatedProcess> owners = new HashMap<>();
    private final Map<Lease, SimulatedProcess> held = new LinkedHashMap<>();
    private final List<SimulatedChild> children = new ArrayList<>();
    private final Set<Long> releasedByOwner = new HashSet<>();
    private final List<String> acknowledged = new ArrayList<>();

    /** Since the name was new or forgotten, latest first. */
    private final List<Transfer> transfers = new ArrayList<>();

    private @Nullable LeaseRecord before;
    private boolean forgotten;
    private @Nullable Grant lastWriter;
    private long highestAccepted;
    private @Nullable Violation violation;
    private boolean storeLostData;

    Invariants(SimulatedWorld world) {
        this.world = world;
        this.leaseTime = new LeaseTime(world);
        // Reads the server directly, so it never waits and draws no random numbers.
        this.observer = new SimulatedProcess("observer", world, world.newHost());
        this.truth = CasLeaseStore.over(world.store(), observer, world.ids());
    }

    LeaseStore truth() {
        return truth;
    }

    SimulatedProcess observer() {
        return observer;
    }

    @Nullable
    Violation violation() {
        return violation;
    }

    boolean hasStoreLostData() {
        return storeLostData;
    }

    /** From now on only the target's guarantees are checked, not the store's. */
    void storeLostData() {
        storeLostData = true;
    }

    /** The store's current record. */
    @Nullable
    LeaseSnapshot current() {
        return truth.inspect(NAME).orElse(null);
    }

    void storeChanged(String key) {
        if (storeLostData || violation != null || !key.equals("lease/" + NAME)) {
            return;
        }
        LeaseSnapshot snapshot = current();
        if (snapshot == null) {
            if (before != null && !forgotten) {
                forgotten = true;
                forgotten(before);
            }
            return;
        }
        LeaseRecord after = snapshot.lease();
        world.log().detail("store", () -> describe(after));
        if (before == null || forgotten || !before.owner().equals(after.owner())) {
            transferred(before, after);
        } else {
            changed(before, after);
        }
        before = after;
        leaseTime.written();
        forgotten = false;
        checkTrust();
    }

    /** The next grant shows whether the counter is kept. */
    private void forgotten(LeaseRecord record) {
        boolean clockMayGoBack = world.scenario().faults().contains(SimulatedFault.STORE_CLOCK_BACK);
        if (leaseTime.isSurelyHeld(record) && !clockMayGoBack) {
            violated(Invariant.NO_EARLY_GRANT, "token " + record.token() + " was forgotten while it was held");
        }
    }

    private String describe(LeaseRecord record) {
        return "token " + record.token() + (record.released() ? " released, free at " : " held until ")
                + record.deadline() + ", judged at " + record.seen() + ", clock "
                + world.store().clock();
    }

    private void transferred(@Nullable LeaseRecord from, LeaseRecord to) {
        Transfer owner = to.owner();
        if (from != null && to.token().compareTo(from.token()) <= 0) {
            violated(Invariant.TOKENS_RISE, "token " + to.token() + " was issued after token " + from.token());
        }
        if (issued.put(owner.token().value(), owner) != null) {
            violated(Invariant.TOKENS_ARE_UNIQUE, "token " + owner.token() + " was issued twice");
        }
        if (from != null && !forgotten && !isOperators(owner.reason())) {
            checkNotEarly(from, owner);
        }
        if (forgotten) {
            transfers.clear();
        }
        transfers.add(0, owner);
        List<Transfer> kept = transfers.subList(0, Math.min(transfers.size(), LeaseStore.HISTORY_KEPT));
        if (!truth.history(NAME, LeaseStore.HISTORY_KEPT).equals(kept)) {
            violated(Invariant.OPERATORS_OBEY, "the history at token " + owner.token() + " is not whole");
        }
    }

    private void checkNotEarly(LeaseRecord from, Transfer next) {
        boolean early = leaseTime.isClockless() && leaseTime.isSurelyHeld(from);
        if (early || from.deadline().isAfter(next.at())) {
            violated(
                    Invariant.NO_EARLY_GRANT,
                    "token " + next.token() + " was issued at " + next.at() + ", before " + from.deadline());
        }
    }

    private static boolean isOperators(TransferReason reason) {
        return reason == TransferReason.TAKEOVER
                || reason == TransferReason.CANCELLED
                || reason == TransferReason.RECOVERED;
    }

    /** The owner is unchanged. */
    private void changed(LeaseRecord from, LeaseRecord to) {
        long token = to.token().value();
        if (from.released() && !to.released()) {
            violated(Invariant.STALE_CHANGES_NOTHING, "token " + token + " was released and is held again");
        }
        // Judged at the time of the read: a compare-and-set that succeeds later proves that the
        // record did not change in between.
        boolean extended = to.deadline().isAfter(from.deadline()) && !to.released();
        if (!from.deadline().isAfter(to.seen()) && extended) {
            violated(Invariant.STALE_CHANGES_NOTHING, "token " + token + " had expired and was extended");
        }
        boolean byItself = releasedByOwner.contains(token) || !owners.containsKey(token);
        if (!from.released() && to.released() && !byItself) {
            violated(
                    Invariant.STALE_CHANGES_NOTHING,
                    "token " + token + " was released by another process than its owner");
        }
    }

    void acquired(SimulatedProcess process, Lease lease) {
        long token = lease.grant().token().value();
        SimulatedProcess earlier = owners.put(token, process);
        if (earlier != null && earlier != process && !storeLostData) {
            violated(Invariant.RESTART_IS_NEW, "token " + token + " of " + earlier + " was given to " + process);
        }
        held.put(lease, process);
        checkTrust();
    }

    /** A client must not be locked out by its own attempt whose reply was lost. */
    void refusedAsBusy(SimulatedProcess process, String holder, long drawnBefore) {
        LeaseSnapshot snapshot = current();
        if (snapshot == null || storeLostData) {
            return;
        }
        Transfer owner = snapshot.lease().owner();
        boolean own = owner.holder().value().equals(holder)
                && Long.parseLong(owner.attempt().value()) > drawnBefore;
        LeaseRecord lease = snapshot.lease();
        if (own && lease.deadline().isAfter(leaseTime.now(lease))) {
            violated(Invariant.NO_LOCKOUT, process + " is refused as busy because of its own token " + owner.token());
        }
    }

    /** The owner is about to release the lease. */
    void releasing(Lease lease) {
        releasedByOwner.add(lease.grant().token().value());
    }

    void forget(Lease lease) {
        held.remove(lease);
    }

    /** A holder that trusts its lease must be the owner according to the store. */
    void checkTrust() {
        if (storeLostData || violation != null || before == null) {
            return;
        }
        Instant now = leaseTime.now(before);
        for (Map.Entry<Lease, SimulatedProcess> entry : held.entrySet()) {
            Lease lease = entry.getKey();
            if (!entry.getValue().isDead() && lease.isTrusted()) {
                checkOwner(
                        Invariant.TRUST_INSIDE,
                        entry.getValue() + " trusts",
                        lease.grant().token().value(),
                        before,
                        now);
            }
        }
        children.removeIf(child -> !child.isAlive());
        for (SimulatedChild child : children) {
            checkOwner(Invariant.DEAD_IN_TIME, "a child process runs under", child.token(), before, now);
        }
    }

    private void checkOwner(Invariant invariant, String who, long token, LeaseRecord record, Instant now) {
        if (record.token().value() == token) {
            if (!record.deadline().isAfter(now)) {
                violated(invariant, who + " token " + token + ", which expired at the store");
            }
            return;
        }
        Transfer next = issued.get(token + 1);
        if (next == null || !isOperators(next.reason())) {
            violated(invariant, who + " token " + token + ", but the store has issued token " + record.token());
        }
    }

    void started(SimulatedChild child) {
        children.add(child);
    }

    /** A process works under this lease. Others may do so too. */
    void trusts(SimulatedProcess process, Lease lease) {
        if (lease.grant().name().equals(NAME)) {
            held.put(lease, process);
            checkTrust();
        }
    }

    /** The target accepted a token, for a write or for a raise before the first read. */
    void accepted(Grant grant) {
        highestAccepted = Math.max(highestAccepted, grant.token().value());
    }

    long highestAccepted() {
        return highestAccepted;
    }

    /** The target lost power. This is the last write that survived, or null. */
    void restoredTo(@Nullable Grant grant) {
        lastWriter = grant;
    }

    /** Called at the target, in the step that writes. */
    void written(Grant grant, List<String> document, List<String> content) {
        Grant last = lastWriter;
        if (grant.token().value() < highestAccepted) {
            violated(
                    Invariant.NO_STALE_WRITE,
                    "a write with token " + grant.token() + " took effect after token " + highestAccepted
                            + " was accepted");
        }
        if (last != null && grant.token().isBelow(last.token())) {
            violated(
                    Invariant.NO_STALE_WRITE,
                    "a write with token " + grant.token() + " took effect after one with token " + last.token());
        }
        if (last != null && grant.token().equals(last.token()) && !grant.equals(last)) {
            violated(Invariant.STORE_WENT_BACK, "two grants with token " + grant.token() + " wrote");
        }
        if (content.size() < document.size()
                || !content.subList(0, document.size()).equals(document)) {
            violated(
                    Invariant.NO_STALE_WRITE,
                    "token " + grant.token() + " overwrote content it had not read: " + document + " became "
                            + content);
        }
        lastWriter = grant;
    }

    void acknowledged(String entry) {
        acknowledged.add(entry);
    }

    void checkAcknowledged(List<String> document) {
        for (String entry : acknowledged) {
            if (!document.contains(entry)) {
                violated(Invariant.ONE_STEP, "the acknowledged write " + entry + " is lost; there is " + document);
            }
        }
    }

    void violated(Invariant invariant, String what) {
        if (violation == null) {
            violation = new Violation(invariant, what);
            world.log().note("VIOLATION", invariant + ": " + what);
        }
    }
}
