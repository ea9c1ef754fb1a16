package dev.leasehold.agents;

import dev.leasehold.agents.SessionState.HeldFile;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The leases of the files that one session edits. */
final class EditLeases {
    private final LeaseStore store;
    private final OwnedLeases owned;
    private final Duration ttl;
    private final InstantSource clock;

    EditLeases(LeaseStore store, OwnedLeases owned, Duration ttl, InstantSource clock) {
        this.store = store;
        this.owned = owned;
        this.ttl = ttl;
        this.clock = clock;
    }

    /**
     * Gets the leases of all these files or none, and renews the other leases of the session if they
     * are due. The store is asked about every one of these files.
     *
     * @throws Refusal if another session holds one, or a takeover ended the ownership
     */
    void claim(SessionState state, String agent, List<FilePlace> places, List<String> notes) throws Refusal {
        giveUpRenamed(state, places);
        renew(state, places, notes);
        List<FilePlace> fresh = new ArrayList<>();
        try {
            for (FilePlace place : places) {
                HeldFile held = state.held(place.path());
                if (held != null) {
                    // A session hands a lease over to its own subagents, and gets it back.
                    state.hold(new HeldFile(agent, held.renewedAt(), held.grant(), held.path(), held.left()));
                } else {
                    acquire(state, agent, place, fresh);
                }
            }
        } catch (Refusal | RuntimeException e) {
            giveBack(state, fresh);
            throw e;
        }
    }

    /** A file gets another name if a repository is created around it. Other sessions ask for the new one. */
    private void giveUpRenamed(SessionState state, List<FilePlace> places) {
        for (FilePlace place : places) {
            HeldFile held = state.held(place.path());
            if (held != null && !held.grant().name().equals(place.name())) {
                giveUp(state, held);
            }
        }
    }

    void giveUp(SessionState state, HeldFile held) {
        state.drop(held.path());
        store.release(held.grant(), Duration.ZERO);
    }

    private void acquire(SessionState state, String agent, FilePlace place, List<FilePlace> fresh) throws Refusal {
        if (state.allHeld().size() >= SessionState.MAX_HELD) {
            throw new Refusal("this session holds " + SessionState.MAX_HELD + " files, which is the most that"
                    + " is allowed. They are released when the agent stops.");
        }
        OwnedLeases.Claim claim = owned.claim(place.name());
        if (claim instanceof OwnedLeases.Busy busy) {
            state.deny(place);
            throw new Refusal(Messages.busy(place, busy.by()));
        }
        OwnedLeases.Held held = (OwnedLeases.Held) claim;
        state.hold(new HeldFile(agent, now(), held.grant(), place.path(), ""));
        state.undeny(place.path());
        if (held.fresh()) {
            fresh.add(place);
        }
    }

    /** Claims the file for all worktrees. That another session has it there is only a warning. */
    void claimShared(SessionState state, String agent, @Nullable FilePlace shared, List<String> notes) {
        if (shared == null || state.held(shared.path()) != null) {
            return;
        }
        OwnedLeases.Claim claim = owned.claim(shared.name());
        if (claim instanceof OwnedLeases.Busy busy) {
            notes.add(Messages.inOtherWorktree(shared, busy.by()));
        } else {
            OwnedLeases.Held held = (OwnedLeases.Held) claim;
            state.hold(new HeldFile(agent, now(), held.grant(), shared.path(), ""));
        }
    }

    private void giveBack(SessionState state, List<FilePlace> fresh) {
        for (FilePlace place : fresh) {
            HeldFile held = state.held(place.path());
            if (held != null) {
                giveUp(state, held);
            }
        }
    }

    /** Renews the leases of these files, and all others of the session that are due, in one call. */
    void renew(SessionState state, List<FilePlace> places, List<String> notes) throws Refusal {
        List<HeldFile> files = new ArrayList<>();
        List<RenewRequest> requests = new ArrayList<>();
        for (HeldFile held : state.allHeld()) {
            if (find(places, held.path()) != null || isDue(held)) {
                files.add(held);
                requests.add(new RenewRequest(held.grant(), ttl));
            }
        }
        if (requests.isEmpty()) {
            return;
        }
        List<Renewal> renewals = store.renew(requests);
        Refusal refusal = null;
        for (int i = 0; i < files.size(); i++) {
            Refusal lost = settle(state, files.get(i), renewals.get(i), places, notes);
            refusal = refusal == null ? lost : refusal;
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    boolean isDue(HeldFile held) {
        return now() - held.renewedAt() >= ttl.toNanos() / 3000;
    }

    private @Nullable Refusal settle(
            SessionState state, HeldFile held, Renewal renewal, List<FilePlace> places, List<String> notes) {
        FilePlace place = find(places, held.path());
        if (renewal instanceof Renewal.Renewed) {
            state.hold(new HeldFile(held.agent(), now(), held.grant(), held.path(), held.left()));
            return null;
        }
        if (renewal instanceof Renewal.Unknown unknown) {
            return place == null
                    ? null
                    : new Refusal("the store did not say whether " + Messages.shown(place.shown()) + " is still yours: "
                            + unknown.why() + ". Try again.");
        }
        state.drop(held.path());
        Transfer taken = takeoverAfter(held.grant(), ((Renewal.NotRenewed) renewal).loss());
        if (taken == null) {
            // It lapsed. Whether the file may be edited is decided by acquiring the lease again, and
            // by the content.
            return null;
        }
        forgetEverywhere(state, held.path());
        FilePlace shown = place == null
                ? new FilePlace(held.path(), held.path(), held.grant().name())
                : place;
        String message = Messages.takenOver(shown, taken, clock.instant());
        state.deny(shown);
        if (place == null) {
            notes.add(message);
            return null;
        }
        return new Refusal(message);
    }

    /** Nobody of the session may go on with what it saw before the takeover. */
    private static void forgetEverywhere(SessionState state, String path) {
        for (SessionState.Seen seen : state.allSeen()) {
            if (seen.path().equals(path)) {
                state.forgetSeen(seen.agent(), path);
            }
        }
    }

    /** The operator's move that ended the ownership; null if no operator had a part in it. */
    private @Nullable Transfer takeoverAfter(Grant grant, Loss loss) {
        if (!(loss instanceof Loss.Superseded superseded)) {
            return null;
        }
        if (superseded.by().note() != null) {
            return superseded.by();
        }
        for (Transfer transfer : store.history(grant.name(), LeaseStore.HISTORY_KEPT)) {
            if (grant.token().isBelow(transfer.token()) && transfer.note() != null) {
                return transfer;
            }
        }
        return null;
    }

    /**
     * Records the version that an edit left, if the lease was the session's all the time.
     *
     * @return the change of ownership that made the edit come too late; null if there was none
     */
    @Nullable
    Transfer finish(SessionState state, HeldFile held, FilePlace place, String hash) {
        ProgressReport report = store.progress(
                held.grant(), VersionMark.note(place, held.agent()), VersionMark.checkpoint(place, hash));
        if (report instanceof ProgressReport.Noted) {
            state.hold(new HeldFile(held.agent(), held.renewedAt(), held.grant(), held.path(), hash));
            return null;
        }
        state.drop(held.path());
        if (((ProgressReport.NotCurrent) report).loss() instanceof Loss.Superseded superseded) {
            Transfer takeover = takeoverAfter(held.grant(), superseded);
            return takeover == null ? superseded.by() : takeover;
        }
        return finishAfterLapse(state, held, place, hash);
    }

    /** The lease lapsed, and perhaps nobody has noticed. */
    private @Nullable Transfer finishAfterLapse(SessionState state, HeldFile held, FilePlace place, String hash) {
        LeaseSnapshot before = store.inspect(place.name()).orElse(null);
        OwnedLeases.Claim claim = owned.claim(place.name());
        if (claim instanceof OwnedLeases.Busy busy) {
            return busy.by().lease().owner();
        }
        OwnedLeases.Held again = (OwnedLeases.Held) claim;
        state.hold(new HeldFile(held.agent(), now(), again.grant(), place.path(), hash));
        FencingToken ours = held.grant().token();
        boolean untouched = before != null
                && before.lease().token().equals(ours)
                && again.grant().token().equals(ours.next());
        if (!untouched) {
            return before == null ? again.granted().transfer() : before.lease().owner();
        }
        store.progress(again.grant(), VersionMark.note(place, held.agent()), VersionMark.checkpoint(place, hash));
        return null;
    }

    private static @Nullable FilePlace find(List<FilePlace> places, String path) {
        for (FilePlace place : places) {
            if (place.path().equals(path)) {
                return place;
            }
        }
        return null;
    }

    private long now() {
        Instant instant = clock.instant();
        return Fields.micros(instant);
    }
}
