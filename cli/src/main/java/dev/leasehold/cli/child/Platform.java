package dev.leasehold.cli.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The programs of the system that the supervisor needs.
 *
 * @param leader the program that opens a session: {@code setsid}, or {@code perl} where there is
 *     none (macOS)
 * @param proc {@code /proc}, or null where there is none
 */
record Platform(Path bash, Path mkfifo, Path rm, Path leader, @Nullable Path proc) {
    /** Added to the user's PATH, which may be empty in a crontab. */
    private static final String SYSTEM_PATH = ":/usr/bin:/bin";

    static Platform detect() throws IOException {
        Path leader = find("setsid");
        if (leader == null) {
            leader = need("perl", "it replaces setsid, which is also missing");
        }
        Path proc = Path.of("/proc");
        return new Platform(
                need("bash", "the supervisor of the command is a bash script"),
                need("mkfifo", "the supervisor of the command receives renewals through a FIFO"),
                need("rm", "the supervisor of the command cleans up with it"),
                leader,
                Files.isReadable(proc.resolve("uptime")) ? proc : null);
    }

    /** The words that start a program in its own session. */
    String[] sessionPrefix() {
        return leader.endsWith("perl")
                ? new String[] {leader.toString(), "-MPOSIX", "-e", "POSIX::setsid(); exec { $ARGV[0] } @ARGV; exit 127"
                }
                : new String[] {leader.toString()};
    }

    private static Path need(String tool, String why) throws IOException {
        Path found = find(tool);
        if (found == null) {
            throw new IOException(
                    "cannot find '" + tool + "' on the PATH or in /usr/bin (" + why + "); the command was not started");
        }
        return found;
    }

    private static @Nullable Path find(String tool) {
        String path = System.getenv("PATH");
        return CommandLookup.resolve(tool, (path == null ? "" : path) + SYSTEM_PATH)
                        instanceof CommandLookup.Found found
                ? found.file().toAbsolutePath()
                : null;
    }
}
