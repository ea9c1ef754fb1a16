package dev.leasehold.agents;

import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What agents are told. A model that is denied looks for a way round within seconds, so each refusal
 * says what not to try, and what to do instead.
 */
final class Messages {
    private static final int MAX_PATH = 300;
    private static final String NOT_BY_SHELL =
            " Do not change the file with shell commands either: they are refused as well.";

    private Messages() {}

    /** A path for a message: of limited length, and without characters that a terminal acts on. */
    static String shown(String path) {
        StringBuilder safe = new StringBuilder();
        String tail = path.length() <= MAX_PATH ? path : "..." + path.substring(path.length() - MAX_PATH);
        for (int i = 0; i < tail.length(); i++) {
            char c = tail.charAt(i);
            safe.append(Character.isISOControl(c) || isInvisible(c) ? '?' : c);
        }
        return safe.toString();
    }

    /** Characters that hide or reorder text. */
    private static boolean isInvisible(char c) {
        return (c >= '\u200b' && c <= '\u200f')
                || (c >= '\u2028' && c <= '\u202e')
                || (c >= '\u2060' && c <= '\u206f')
                || c == '\ufeff';
    }

    static String busy(FilePlace place, LeaseSnapshot by) {
        Transfer owner = by.lease().owner();
        return shown(place.shown()) + " is being edited by " + owner.holder() + since(owner, by)
                + "; its lease lasts another " + DurationText.show(by.remaining()) + " unless it is renewed"
                + because(owner) + ". Your edit was refused and nothing was changed." + NOT_BY_SHELL
                + " Work on another file, try again later, or ask the user. (lease " + place.name() + ")";
    }

    static String inOtherWorktree(FilePlace place, LeaseSnapshot by) {
        Transfer owner = by.lease().owner();
        return shown(place.shown()) + " is also being edited in another worktree, by " + owner.holder()
                + since(owner, by) + ". Your edit is permitted, but the two will have to be merged.";
    }

    static String takenOver(FilePlace place, Transfer by, Instant now) {
        return shown(place.shown()) + " was taken from you by " + by.holder() + " " + ago(by.at(), now) + " ago"
                + because(by) + ". Your edit was refused and nothing was changed." + NOT_BY_SHELL
                + " Stop working on this file, unless the user says otherwise; then read it again first. (lease "
                + place.name() + ")";
    }

    static String taskLost(String name, String explanation) {
        return "the task of this agent (lease " + name + ") is no longer yours: " + explanation
                + ". Stop now. Every further tool call is refused, shell commands and pushes included.";
    }

    static String unread(FilePlace place, boolean byShell) {
        return shown(place.shown()) + " exists, and you have not read it in this session. Your edit was refused and"
                + " nothing was changed. Read the file first"
                + (byShell ? " (a shell command that names it counts)" : "") + ", then edit it.";
    }

    static String changed(FilePlace place, @Nullable String last) {
        return shown(place.shown()) + " has changed since you read it: another agent, a person or a formatter wrote it."
                + " Your edit was refused and nothing was changed. Read the file again, then make your edit on what"
                + " is there now." + (last == null ? "" : " " + last);
    }

    static String deleted(FilePlace place) {
        return shown(place.shown()) + " was deleted since you read it. Your edit was refused and nothing was changed."
                + " If it is to be created again, repeat the edit.";
    }

    static String otherAgent(FilePlace place) {
        return shown(place.shown()) + " is being edited by another agent of this session at this moment. Your edit was"
                + " refused and nothing was changed. Wait until that edit has ended, read the file again, then edit"
                + " it.";
    }

    static String shellNames(String path, LeaseSnapshot by) {
        Transfer owner = by.lease().owner();
        return "the command names " + shown(path) + ", which " + owner.holder() + " is editing"
                + since(owner, by) + " (for another " + DurationText.show(by.remaining())
                + " unless renewed" + because(owner)
                + "). The command was refused and nothing was run. Do not try it in another way: work on another"
                + " file, try again later, or ask the user. To look at the file, use the tool that reads files.";
    }

    static String lateWrite(FilePlace place, Transfer by, Instant now, @Nullable String kept) {
        return "your write to " + shown(place.shown()) + " came too late: its lease passed to " + by.holder() + " "
                + ago(by.at(), now) + " ago" + because(by) + ", after your edit was permitted."
                + " Your write may have replaced newer work, and may be replaced itself. Stop editing the file, read it"
                + " again, make your edit once more when you may, and compare the file"
                + (kept == null
                        ? " with what " + by.holder() + " did."
                        : " with the last version that was written under the lease, which is kept at " + shown(kept)
                                + ". Put back what is missing, as soon as you may edit the file.");
    }

    static String renamed(FilePlace place) {
        return "the lease of " + shown(place.shown()) + " has another name since your edit was permitted, because the"
                + " root of its repository is another one now. Another agent may have been permitted to edit it at the"
                + " same time. Read the file again, and repeat the edit if it is missing.";
    }

    static String editIsGone(FilePlace place) {
        return "your edit is not in " + shown(place.shown()) + ": something else wrote the file in between, or a"
                + " formatter changed it. Read the file again, and repeat the edit if it is missing.";
    }

    static String changedOutside(FilePlace place, Workspace.Version last, Instant now, String copy) {
        return shown(place.shown()) + " differs from what " + shown(last.holder()) + " left " + ago(last.at(), now)
                + " ago. If that was not on purpose: that version is kept at " + shown(copy);
    }

    private static String since(Transfer owner, LeaseSnapshot by) {
        return " since " + owner.at().truncatedTo(ChronoUnit.SECONDS) + " (" + ago(owner.at(), by.readAt()) + " ago)";
    }

    private static String ago(Instant at, Instant now) {
        Duration passed = Duration.between(at, now);
        return DurationText.show(passed.isNegative() ? Duration.ZERO : passed.truncatedTo(ChronoUnit.SECONDS));
    }

    static String because(Transfer transfer) {
        Note note = transfer.note();
        return note == null ? "" : " (" + transfer.reason().word() + ": \"" + note + "\")";
    }
}
