package dev.leasehold.agents;

import dev.leasehold.agents.SessionState.HeldFile;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What happens when an agent or its session stops: its leases are released. */
final class Ending {
    private final Supplier<LeaseStore> store;
    private final Workspace files;

    Ending(Supplier<LeaseStore> store, Workspace files) {
        this.store = store;
        this.files = files;
    }

    HookVerdict stop(HookEvent event, SessionState state) {
        boolean mainStops = event.kind() == HookEvent.Kind.STOP && event.agent().isEmpty();
        boolean all = event.kind() == HookEvent.Kind.SESSION_END;
        if (mainStops || all) {
            state.mainStopped(true);
        }
        state.endAgent(event.agent());
        List<String> notes = new ArrayList<>();
        RuntimeException failure = null;
        for (HeldFile held : state.allHeld()) {
            boolean own = held.agent().equals(event.agent());
            if (all || (own && state.mainStopped())) {
                try {
                    release(state, held, notes);
                } catch (StoreUnavailableException | StoreCorruptException e) {
                    // The other files must not wait for the end of their leases.
                    failure = e;
                }
            } else if (own) {
                // A subagent has stopped: its session goes on with the file.
                state.hold(new HeldFile("", held.renewedAt(), held.grant(), held.path(), held.left()));
            }
        }
        if (failure != null) {
            throw failure;
        }
        return new HookVerdict.Allow(notes);
    }

    private void release(SessionState state, HeldFile held, List<String> notes) {
        FilePlace place = new FilePlace(held.path(), held.path(), held.grant().name());
        boolean gone = false;
        try {
            String now = files.hash(files.content(place));
            gone = now.equals(Workspace.ABSENT);
            Workspace.Version last = held.left().isEmpty() || now.equals(held.left()) ? null : files.last(place);
            String copy = last == null ? null : files.copy(last);
            if (copy != null) {
                notes.add(Messages.shown(held.path())
                        + " is no longer as this session left it; that version is kept at " + copy);
            }
        } catch (Refusal unreadable) {
            notes.add(unreadable.reason());
        }
        state.drop(held.path());
        if (gone) {
            ForgottenFiles.forget(store.get(), held.grant());
            files.forget(place);
        } else {
            store.get().release(held.grant(), Duration.ZERO);
        }
    }
}
