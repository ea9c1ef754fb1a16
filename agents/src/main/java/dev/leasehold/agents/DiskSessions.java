package dev.leasehold.agents;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * One file per session, replaced as a whole under the lock of a second file. It need not survive a
 * crash of the machine: a lost record only means that files have to be read again.
 */
public final class DiskSessions implements Sessions {
    private static final Duration LOCK_WAIT = Duration.ofSeconds(10);
    private static final long MAX_BYTES = 16L * 1024 * 1024;

    /** A few sessions share each of these. */
    private static final Semaphore[] IN_PROCESS = new Semaphore[64];

    static {
        for (int i = 0; i < IN_PROCESS.length; i++) {
            IN_PROCESS[i] = new Semaphore(1, true);
        }
    }

    private final Path directory;
    private final Duration wait;

    public DiskSessions(Path stateDirectory) {
        this(stateDirectory, LOCK_WAIT);
    }

    DiskSessions(Path stateDirectory, Duration wait) {
        this.directory = stateDirectory.resolve("sessions");
        this.wait = wait;
    }

    @Override
    public <T> T change(String session, Step<T> step) throws Refusal {
        String name = FilePlace.sha256(session).substring(0, 32);
        Semaphore permit = IN_PROCESS[Math.floorMod(name.hashCode(), IN_PROCESS.length)];
        try {
            PrivateDirectory.create(directory);
            try (FileMutex mutex = FileMutex.take(directory.resolve(name + ".lock"), permit, wait)) {
                return changeLocked(directory.resolve(name), step);
            }
        } catch (FileMutex.Busy e) {
            throw new RecordRefusal(
                    "another call of this hook for the same session has not ended in time, so nothing can"
                            + " be said about this one. Try again.");
        } catch (IOException e) {
            throw new RecordRefusal(
                    "the record of this session cannot be kept in " + Messages.shown(directory.toString())
                            + " (" + Messages.shown(String.valueOf(e.getMessage()))
                            + "). Without it, edits are refused. Make the directory writable, or name another one with"
                            + " --state or LEASEHOLD_AGENT_STATE.");
        }
    }

    private static <T> T changeLocked(Path record, Step<T> step) throws IOException, Refusal {
        String before = read(record);
        SessionState state = before == null ? new SessionState() : parse(record, before);
        try {
            return step.apply(state);
        } finally {
            String after = state.format();
            if (!after.equals(before)) {
                PrivateDirectory.replace(record, after.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static @Nullable String read(Path record) throws IOException {
        try {
            if (Files.size(record) > MAX_BYTES) {
                return "";
            }
            // Not readString: a damaged record may have bytes that are not UTF-8.
            return new String(Files.readAllBytes(record), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** A damaged record is put aside, so that the next call starts anew: with nothing seen. */
    private static SessionState parse(Path record, String text) throws IOException, Refusal {
        try {
            return SessionState.parse(text);
        } catch (IllegalArgumentException e) {
            Path aside = record.resolveSibling(record.getFileName() + ".damaged");
            Files.move(record, aside, StandardCopyOption.REPLACE_EXISTING);
            throw new RecordRefusal(
                    "the record of this session was damaged (" + e.getMessage() + ") and was put aside as "
                            + Messages.shown(aside.toString())
                            + ". Try again, and read each file again before you edit it.");
        }
    }
}
