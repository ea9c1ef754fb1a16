package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.Shell;
import dev.leasehold.agents.SessionState.DeniedFile;
import dev.leasehold.agents.SessionState.Seen;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be done about shell commands. Best effort: nobody can tell what a command will write. A
 * command that names a file which was just denied is refused, and files that changed meanwhile are
 * reported afterwards.
 */
final class ShellGuard {
    private static final int MOST_WORDS = 64;
    private static final int MOST_FILES = 200;

    private final AgentHook hook;
    private final Workspace files;

    ShellGuard(AgentHook hook, Workspace files) {
        this.hook = hook;
        this.files = files;
    }

    void before(HookEvent event, Shell shell, SessionState state) throws Refusal {
        for (DeniedFile denied : state.allDenied()) {
            if (!ShellText.names(shell.command(), denied.path())) {
                continue;
            }
            LeaseSnapshot lease =
                    hook.store().inspect(LeaseName.of(denied.name())).orElse(null);
            if (lease == null || lease.isFree()) {
                state.undeny(denied.path());
            } else {
                throw new Refusal(Messages.shellNames(denied.path(), lease));
            }
        }
        if (shell.readsCount()) {
            int words = 0;
            for (String word : ShellText.words(shell.command())) {
                words++;
                if (words > MOST_WORDS) {
                    return;
                }
                startReading(event, word, state);
            }
        }
    }

    private void startReading(HookEvent event, String word, SessionState state) {
        try {
            hook.startReading(event, List.of(word), state);
        } catch (Refusal notAPath) {
            // Most words of a command are not paths.
        }
    }

    HookVerdict after(HookEvent event, Shell shell, SessionState state) {
        if (shell.readsCount()) {
            for (SessionState.Reading reading : state.endReadings(event.agent(), event.call())) {
                FilePlace place = place(reading.path());
                state.see(new Seen(event.agent(), reading.path(), reading.hash(), files.stamp(place)));
            }
        }
        List<String> changed = new ArrayList<>();
        int looked = 0;
        for (Seen seen : state.seenBy(event.agent())) {
            looked++;
            if (looked > MOST_FILES) {
                break;
            }
            if (hasChanged(seen)) {
                state.forgetSeen(seen.agent(), seen.path());
                changed.add(Messages.shown(seen.path()));
            }
        }
        return changed.isEmpty()
                ? HookVerdict.allow()
                : new HookVerdict.Allow(List.of("changed since you read them, by this command or meanwhile: "
                        + String.join(", ", changed) + ". Read them again before you edit them."));
    }

    private boolean hasChanged(Seen seen) {
        FilePlace place = place(seen.path());
        if (files.stamp(place).equals(seen.stamp())) {
            return false;
        }
        String now = hashOf(place);
        return !seen.hash().equals(now);
    }

    private @Nullable String hashOf(FilePlace place) {
        try {
            return files.hash(files.content(place));
        } catch (Refusal unreadable) {
            return null;
        }
    }

    /** The file under its path; its lease is not needed here. */
    private static FilePlace place(String path) {
        return new FilePlace(path, path, LeaseName.of(FilePlace.PREFIX + "-"));
    }
}
