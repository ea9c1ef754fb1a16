package dev.leasehold.cli.child;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;

/**
 * The private directory of one guarded command: the guard's script and FIFO, and what the guard leaves for the wrapper
 * to read. The wrapper deletes it at the end; the guard does when the wrapper is gone.
 */
record GuardDirectory(Path path) {
    private static final int MOST_TRIES = 100;
    private static final List<String> FILES = List.of("guard.sh", "control", "pgid", "late", "done");

    static GuardDirectory create() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        GuardDirectory directory = null;
        try {
            directory = new GuardDirectory(makeUnder(parent));
            Files.write(directory.script(), GuardScript.text());
            return directory;
        } catch (IOException failure) {
            if (directory != null) {
                directory.delete();
            }
            throw new IOException(
                    "cannot prepare the command's guard in " + parent + " ("
                            + failure + "); the command was not started. Make room there or choose another with "
                            + "-Djava.io.tmpdir",
                    failure);
        }
    }

    /** Not {@code createTempDirectory}: its random numbers cost a short-lived program more than all the rest. */
    private static Path makeUnder(Path parent) throws IOException {
        var ownerOnly = PosixFilePermissions.asFileAttribute(EnumSet.of(
                PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE));
        for (int attempt = 1; ; attempt++) {
            Path candidate = parent.resolve(
                    "leasehold-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()));
            try {
                // Fails if anything has that name, so a name that can be guessed does no harm.
                return Files.createDirectory(candidate, ownerOnly);
            } catch (FileAlreadyExistsException taken) {
                if (attempt == MOST_TRIES) {
                    throw taken;
                }
            }
        }
    }

    Path script() {
        return path.resolve("guard.sh");
    }

    Path control() {
        return path.resolve("control");
    }

    /** The command's pid, process group and session, once the guard has started it. */
    OptionalLong pgid() {
        try {
            String text = Files.readString(path.resolve("pgid"));
            // Without the newline it is still being written.
            return text.endsWith("\n") ? OptionalLong.of(Long.parseLong(text.trim())) : OptionalLong.empty();
        } catch (IOException | NumberFormatException notYet) {
            return OptionalLong.empty();
        }
    }

    /** The guard itself saw to it that nothing is left of the command. */
    boolean guardDone() {
        return Files.exists(path.resolve("done"));
    }

    /** The guard ended the command, or did not start it, because the deadline came. */
    boolean endedAtDeadline() {
        return Files.exists(path.resolve("late"));
    }

    void delete() {
        try {
            for (String name : FILES) {
                Files.deleteIfExists(path.resolve(name));
            }
            Files.deleteIfExists(path);
        } catch (IOException left) {
            // The command has run and its outcome is known: a file left in the temporary directory must not change it.
        }
    }
}
