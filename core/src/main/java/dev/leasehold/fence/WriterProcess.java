package dev.leasehold.fence;

import dev.leasehold.internal.HostName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process that writes a target in place. Its start time distinguishes it from a later process
 * with the same pid.
 *
 * <p>On Linux the start time is the kernel's tick count since boot. The time of day would change
 * when the clock is set, because it is computed on each request. On other systems only the time of
 * day is available.
 *
 * @param place the scope of the pid: a boot and a pid namespace on Linux, otherwise the host
 */
record WriterProcess(long pid, long started, String place) {
    private static final Path PROC = Path.of("/proc");
    private static final String LINUX = "linux:";

    /** Indexes of the fields of {@code /proc/PID/stat} after the program's name. */
    private static final int STATE = 0;

    private static final int SESSION = 3;
    private static final int STARTED = 19;

    static WriterProcess of(ProcessHandle process) {
        String place = Here.PLACE;
        if (place == null) {
            return new WriterProcess(process.pid(), startOf(process), HostName.get());
        }
        String[] stat = stat(PROC.resolve(Long.toString(process.pid())));
        return new WriterProcess(process.pid(), stat == null ? 0 : Long.parseLong(stat[STARTED]), place);
    }

    /**
     * Whether the process, or another process of its session, is known to be alive: after a
     * supervisor was killed, the second process of its session ends the command. Processes of other
     * hosts and namespaces are not visible.
     */
    boolean isAlive() {
        if (place.startsWith(LINUX)) {
            return place.equals(Here.PLACE) && (isItself() || hasSession());
        }
        Optional<ProcessHandle> process = place.equals(HostName.get()) ? ProcessHandle.of(pid) : Optional.empty();
        return process.isPresent() && process.get().isAlive() && startOf(process.get()) == started;
    }

    private boolean isItself() {
        String[] stat = stat(PROC.resolve(Long.toString(pid)));
        return stat != null && isLiving(stat) && Long.parseLong(stat[STARTED]) == started;
    }

    /** The kernel does not reuse a pid while a session has this number. */
    private boolean hasSession() {
        String[] leader = stat(PROC.resolve(Long.toString(pid)));
        if (leader != null && Long.parseLong(leader[STARTED]) != started) {
            return false;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                String[] stat = stat(process);
                if (stat != null
                        && isLiving(stat)
                        && stat[SESSION].equals(Long.toString(pid))
                        && Long.parseLong(stat[STARTED]) >= started) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException e) {
            // Unknown, so they may still be alive.
            return true;
        }
    }

    /**
     * False for a zombie process, which no longer runs. In a container it may stay, because no
     * parent collects it.
     */
    private static boolean isLiving(String[] stat) {
        return !stat[STATE].equals("Z") && !stat[STATE].equals("X");
    }

    /** The fields after the program's name; null if there is no such process. */
    private static String @Nullable [] stat(Path process) {
        try {
            // The program's name is in parentheses and may itself contain parentheses and newlines.
            String text = new String(Files.readAllBytes(process.resolve("stat")), StandardCharsets.ISO_8859_1);
            String[] fields = text.substring(text.lastIndexOf(") ") + 2).split(" ", -1);
            return fields.length > STARTED ? fields : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** Read on first use. */
    private static final class Here {
        static final @Nullable String PLACE = read();

        private static @Nullable String read() {
            try {
                String namespace =
                        Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
                return Boot.id().isEmpty() ? null : LINUX + Boot.id() + ":" + namespace.replaceAll("[^0-9]", "");
            } catch (IOException | UnsupportedOperationException e) {
                return null;
            }
        }
    }
}
