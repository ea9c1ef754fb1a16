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
 * A process that writes a target in place, told from a later one with the same number by when it started.
 *
 * <p>On Linux that is counted in ticks since the system was started, as the kernel keeps it: the time of day at which a process
 * started is computed anew by whoever asks, and is another one after somebody set the clock. Elsewhere the time of day is all
 * there is.
 *
 * @param place where its number means it: one run of one system, and there one namespace of processes; or the host
 */
record WriterProcess(long pid, long started, String place) {
    private static final Path PROC = Path.of("/proc");
    private static final String LINUX = "linux:";

    /** Where in {@code /proc/PID/stat} things stand, counted from behind the program's name. */
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
     * Whether it can be seen to live, it or another process of its session: where a guard is killed, its session's second
     * process ends the command. On another host, and in another namespace, it cannot be seen.
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

    /** No process gets a number that is still the number of a session. */
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
            // Nobody can say that they are gone.
            return true;
        }
    }

    /** One that died and was not collected by its parent runs no instruction any more: in a container nobody may do so. */
    private static boolean isLiving(String[] stat) {
        return !stat[STATE].equals("Z") && !stat[STATE].equals("X");
    }

    /** Null if there is no such process. */
    private static String @Nullable [] stat(Path process) {
        try {
            // The program's name stands in parentheses and may contain anything, parentheses and newlines too.
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

    /** Looked up when it is first needed. */
    private static final class Here {
        static final @Nullable String PLACE = look();

        private static @Nullable String look() {
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
