package dev.leasehold.cli.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The private directory of one guarded command: the guard's FIFO, and what the guard leaves for the wrapper
 * to read. The wrapper deletes it at the end; the guard does when the wrapper is gone.
 */
record SupervisorDirectory(Path path) {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE));
    private static final List<String> FILES = List.of("control", "pgid", "late", "done");

    /**
     * A directory that is still to be made. Not by {@code createTempDirectory}: its random numbers cost a short-lived
     * program more than all the rest, and a name that can be guessed does no harm, since making it fails if it is taken.
     */
    static SupervisorDirectory named() {
        return new SupervisorDirectory(Path.of(
                System.getProperty("java.io.tmpdir"),
                "leasehold-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime())));
    }

    void make() throws IOException {
        try {
            Files.createDirectory(path, OWNER_ONLY);
        } catch (IOException failure) {
            throw new IOException(
                    "cannot make the directory " + path + " (" + failure
                            + "); the command was not started. Make room there, or choose another place with -Djava.io.tmpdir",
                    failure);
        }
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
