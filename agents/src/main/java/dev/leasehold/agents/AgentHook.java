package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.Edit;
import dev.leasehold.agents.HookEvent.FileEdit;
import dev.leasehold.agents.HookEvent.Read;
import dev.leasehold.agents.HookEvent.Shell;
import dev.leasehold.agents.HookEvent.ToolUse;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Text;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides about the events of agents. The package comment has the model. */
public final class AgentHook {
    private static final int MAX_ID_SHOWN = 12;

    private final Supplier<LeaseStore> store;
    private final Workspace files;
    private final Sessions sessions;
    private final HookSettings settings;

    /** @param store opened only for an event that needs it */
    public AgentHook(Supplier<LeaseStore> store, Workspace files, Sessions sessions, HookSettings settings) {
        this.store = store;
        this.files = files;
        this.sessions = sessions;
        this.settings = settings;
    }

    /** Decides. A failure of the store or of the hook's own record denies an edit; it never permits one. */
    public HookVerdict handle(HookEvent event) {
        try {
            return switch (event.kind()) {
                case BEFORE -> sessions.change(event.session(), state -> before(event, state));
                case AFTER -> sessions.change(event.session(), state -> after(event, state));
                case FAILED -> sessions.change(event.session(), state -> failed(event, state));
                case AGENT_STOP, STOP, SESSION_END ->
                    sessions.change(event.session(), state -> ending().stop(event, state));
                case SESSION_START, OTHER -> HookVerdict.allow();
            };
        } catch (RecordRefusal refusal) {
            return isHarmless(event) ? new HookVerdict.Allow(List.of(refusal.reason())) : refused(event, refusal);
        } catch (Refusal refusal) {
            return refused(event, refusal);
        } catch (StoreUnavailableException | StoreCorruptException e) {
            return unavailable(event, e);
        }
    }

    private static HookVerdict refused(HookEvent event, Refusal refusal) {
        return event.kind() == HookEvent.Kind.BEFORE
                ? new HookVerdict.Deny(refusal.reason())
                : new HookVerdict.Report(refusal.reason());
    }

    /**
     * Tools that change no file are of use while the store or the disk is being mended. A read does not
     * count then. An agent that runs under a lease may have lost it, so it only reads.
     */
    private boolean isHarmless(HookEvent event) {
        ToolUse tool = event.toolUse();
        return event.kind() == HookEvent.Kind.BEFORE
                && (tool instanceof Read || (tool instanceof HookEvent.Other && settings.task() == null));
    }

    private HookVerdict unavailable(HookEvent event, RuntimeException e) {
        String what = "the store of leases did not answer: " + e.getMessage();
        if (event.kind() != HookEvent.Kind.BEFORE) {
            return new HookVerdict.Report(what + ". What this means for your last step is unknown; read the file again"
                    + " before you edit it.");
        }
        return isHarmless(event)
                ? new HookVerdict.Allow(List.of(what))
                : new HookVerdict.Deny(
                        what + ". Nothing was changed. Try again, or ask the user to look at the store.");
    }

    // --- before a tool call ---

    private HookVerdict before(HookEvent event, SessionState state) throws Refusal {
        requireTask();
        if (event.agent().isEmpty()) {
            state.mainStopped(false);
        }
        List<String> notes = new ArrayList<>();
        ToolUse tool = event.toolUse();
        if (tool instanceof Edit edit) {
            permit(event, edit, state, notes);
        } else {
            if (tool instanceof Read read) {
                startReading(event, read.paths(), state);
            } else if (tool instanceof Shell shell) {
                new ShellGuard(this, files).before(event, shell, state);
                String against = settings.pushes().reasonAgainst(shell.command(), event.cwd());
                if (against != null) {
                    throw new Refusal(against);
                }
            }
            renewDue(event, state, notes);
        }
        return new HookVerdict.Allow(notes);
    }

    private void renewDue(HookEvent event, SessionState state, List<String> notes) throws Refusal {
        for (SessionState.HeldFile held : state.allHeld()) {
            if (Fields.micros(settings.clock().instant()) - held.renewedAt()
                    >= settings.ttl().toNanos() / 3000) {
                leases(event).renew(state, List.of(), notes);
                return;
            }
        }
    }

    /** @throws Refusal if the lease of the whole agent was lost */
    private void requireTask() throws Refusal {
        Grant task = settings.task();
        if (task == null) {
            return;
        }
        LeaseSnapshot current = store().inspect(task.name()).orElse(null);
        Loss loss = current == null
                ? Loss.Forgotten.neverIssued(task)
                : current.lease().lossOf(task, current.at());
        if (loss == null) {
            return;
        }
        String explanation = loss.explanation();
        if (loss instanceof Loss.Superseded superseded && superseded.by().note() == null) {
            explanation += operatorsReason(task);
        }
        throw new Refusal(Messages.taskLost(task.name().value(), explanation));
    }

    private String operatorsReason(Grant task) {
        for (Transfer transfer : store().history(task.name(), LeaseStore.HISTORY_KEPT)) {
            if (task.token().isBelow(transfer.token()) && transfer.note() != null) {
                return Messages.because(transfer);
            }
        }
        return "";
    }

    void startReading(HookEvent event, List<String> paths, SessionState state) throws Refusal {
        for (String path : paths) {
            FilePlace place = files.locate(event.cwd(), path);
            byte[] content;
            try {
                content = files.content(place);
            } catch (Refusal unreadable) {
                // A directory, or a file that is too large. The tool says what is wrong with it.
                continue;
            }
            if (content != null) {
                state.startReading(
                        new SessionState.Reading(event.agent(), event.call(), place.path(), files.hash(content)));
            }
        }
    }

    private void permit(HookEvent event, Edit edit, SessionState state, List<String> notes) throws Refusal {
        List<FilePlace> places = new ArrayList<>();
        for (FileEdit file : edit.files()) {
            FilePlace place = files.locate(event.cwd(), file.path());
            if (!places.contains(place)) {
                places.add(place);
            }
        }
        places.sort(null);
        for (FilePlace place : places) {
            SessionState.Permit other = state.permit(place.path());
            if (other != null && other.open() && !other.agent().equals(event.agent()) && isRecent(other)) {
                throw new Refusal(Messages.otherAgent(place));
            }
        }
        leases(event).claim(state, event.agent(), places, notes);
        // The leases are ours from here on, so no other session can edit between this look and the
        // permission.
        for (FilePlace place : places) {
            requireSeen(event, place, state);
        }
        for (FilePlace place : places) {
            state.permit(new SessionState.Permit(event.agent(), now(), true, place.path()));
            addOutsideChange(place, notes);
            if (settings.acrossWorktrees()) {
                leases(event).claimShared(state, event.agent(), files.acrossWorktrees(place), notes);
            }
        }
    }

    private boolean isRecent(SessionState.Permit permit) {
        return now() - permit.at() < settings.ttl().toNanos() / 1000;
    }

    private void requireSeen(HookEvent event, FilePlace place, SessionState state) throws Refusal {
        String now = files.hash(files.content(place));
        String seen = state.seen(event.agent(), place.path());
        if (now.equals(seen) || (seen == null && now.equals(Workspace.ABSENT))) {
            return;
        }
        state.forgetSeen(event.agent(), place.path());
        if (now.equals(Workspace.ABSENT)) {
            // The agent knows now, and a file that is not there cannot be read.
            throw new Refusal(Messages.deleted(place));
        }
        List<String> last = new ArrayList<>();
        addOutsideChange(place, last);
        boolean byShell = settings.agent().equals(CodexDialect.NAME);
        throw new Refusal(
                seen == null
                        ? Messages.unread(place, byShell) + (last.isEmpty() ? "" : " " + last.get(0) + ".")
                        : Messages.changed(place, last.isEmpty() ? null : last.get(0) + "."));
    }

    /** A version that was written under the lease and is no longer in the file may have been lost. */
    private void addOutsideChange(FilePlace place, List<String> notes) throws Refusal {
        Workspace.Version last = files.last(place);
        if (last == null || last.hash().equals(files.hash(files.content(place)))) {
            return;
        }
        String copy = files.copy(last);
        if (copy != null) {
            notes.add(Messages.changedOutside(place, last, settings.clock().instant(), copy));
        }
    }

    // --- after a tool call ---

    private HookVerdict after(HookEvent event, SessionState state) throws Refusal {
        ToolUse tool = event.toolUse();
        if (tool instanceof Edit edit) {
            return afterEdit(event, edit, state);
        }
        if (tool instanceof Read read) {
            for (String path : read.paths()) {
                FilePlace place = files.locate(event.cwd(), path);
                seeAfterReading(event, place, state);
            }
        } else if (tool instanceof Shell shell) {
            return new ShellGuard(this, files).after(event, shell, state);
        }
        return HookVerdict.allow();
    }

    void seeAfterReading(HookEvent event, FilePlace place, SessionState state) {
        SessionState.Reading reading = state.endReading(event.agent(), event.call(), place.path());
        if (reading != null) {
            state.see(new SessionState.Seen(event.agent(), place.path(), reading.hash(), files.stamp(place)));
        }
    }

    private HookVerdict afterEdit(HookEvent event, Edit edit, SessionState state) throws Refusal {
        List<String> problems = new ArrayList<>();
        for (FileEdit file : edit.files()) {
            FilePlace place = files.locate(event.cwd(), file.path());
            String problem = afterEdit(event, file, place, state);
            state.closePermit(place.path(), event.agent());
            if (problem != null) {
                state.forgetSeen(event.agent(), place.path());
                problems.add(problem);
            }
        }
        return problems.isEmpty() ? HookVerdict.allow() : new HookVerdict.Report(String.join("\n", problems));
    }

    private @Nullable String afterEdit(HookEvent event, FileEdit file, FilePlace place, SessionState state)
            throws Refusal {
        SessionState.Permit permit = state.permit(place.path());
        SessionState.HeldFile held = state.held(place.path());
        if (permit == null || held == null) {
            return Messages.shown(place.shown()) + " was edited without a permission of this hook that is still"
                    + " known. Read it again before you edit it.";
        }
        if (!permit.agent().equals(event.agent())) {
            String kept = copyOfLast(place, "");
            return "your write to " + Messages.shown(place.shown()) + " came too late: another agent of this session"
                    + " has edited the file since your edit was permitted. Read it again"
                    + (kept == null ? "." : ", and compare it with that agent's version, kept at " + kept + ".");
        }
        if (!held.grant().name().equals(place.name())) {
            leases(event).giveUp(state, held);
            return Messages.renamed(place);
        }
        byte[] content = files.content(place);
        boolean complete = EditEvidence.isIn(content, file);
        String hash = files.hash(content);
        if (complete && content != null) {
            // Before the store is told: whoever is told of a version must be able to find it.
            keep(event, place, held, hash, content);
        }
        // An edit that is not in the file was overwritten. The version of whoever did that must not
        // count as a version of this session.
        String mark = complete ? hash : held.left();
        Transfer late = leases(event).finish(state, held, place, mark);
        if (late != null) {
            return Messages.lateWrite(place, late, settings.clock().instant(), copyOfLast(place, hash));
        }
        if (!complete) {
            return Messages.editIsGone(place);
        }
        state.see(new SessionState.Seen(event.agent(), place.path(), hash, files.stamp(place)));
        return null;
    }

    private void keep(HookEvent event, FilePlace place, SessionState.HeldFile held, String hash, byte[] content) {
        files.keep(
                place,
                new Workspace.Version(
                        store().id().value(),
                        held.grant().token().value(),
                        hash,
                        holder(event).value(),
                        settings.clock().instant()),
                content);
    }

    /** Where the version is that was last written under the lease, if it is not the one in the file. */
    private @Nullable String copyOfLast(FilePlace place, String hash) {
        Workspace.Version last = files.last(place);
        return last == null || last.hash().equals(hash) ? null : files.copy(last);
    }

    private HookVerdict failed(HookEvent event, SessionState state) throws Refusal {
        state.endReadings(event.agent(), event.call());
        if (event.toolUse() instanceof Edit edit) {
            for (FileEdit file : edit.files()) {
                state.closePermit(files.locate(event.cwd(), file.path()).path(), event.agent());
            }
        }
        return HookVerdict.allow();
    }

    // --- shared with the other classes ---

    LeaseStore store() {
        return store.get();
    }

    Ending ending() {
        return new Ending(this::store, files);
    }

    private EditLeases leases(HookEvent event) {
        OwnedLeases owned =
                new OwnedLeases(store(), Owner.of(event.session()), holder(event), settings.ids(), settings.ttl());
        return new EditLeases(store(), owned, settings.ttl(), settings.clock());
    }

    private Holder holder(HookEvent event) {
        return Holder.of(
                settings.agent() + " session " + Text.shown(event.session(), MAX_ID_SHOWN) + " on " + settings.host());
    }

    private long now() {
        return Fields.micros(settings.clock().instant());
    }
}
