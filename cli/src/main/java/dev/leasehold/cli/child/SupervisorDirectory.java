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
 * The private directory of one command: the supervisor's FIFO, and the files that the supervisor
 * leaves for the wrapper. The wrapper deletes the directory at the end, or the supervisor does if
 * the wrapper is gone.
 */
record SupervisorDirectory(Path path) {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE));
    private static final List<String> FILES = List.of("control", "pgid", "late", "done");

    /**
     * A directory that does not exist yet. {@code createTempDirectory} is not used because its
     * random numbers noticeably slow start-up. A name that can be guessed does no harm: making the
     * directory fails if the name is taken.
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
                            + "); the command was not started. Free space there, or choose another directory with -Djava.io.tmpdir",
                    failure);
        }
    }

    Path control() {
        return path.resolve("control");
    }

    /** The command's pid, process group and session, once the supervisor has started it. */
    OptionalLong pgid() {
        try {
            String text = Files.readString(path.resolve("pgid"));
            // A text without the newline is still being written.
            return text.endsWith("\n") ? OptionalLong.of(Long.parseLong(text.trim())) : OptionalLong.empty();
        } catch (IOException | NumberFormatException notYet) {
            return OptionalLong.empty();
        }
    }

    /** Whether the supervisor made sure that no process of the command is left. */
    boolean supervisorDone() {
        return Files.exists(path.resolve("done"));
    }

    /** Whether the supervisor ended the command, or did not start it, because of the deadline. */
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
            // A file left in the temporary directory must not change the outcome of the command.
        }
    }
}
