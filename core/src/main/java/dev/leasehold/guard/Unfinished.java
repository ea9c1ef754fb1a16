package dev.leasehold.guard;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.disk.HostName;
import dev.leasehold.model.FencingToken;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Somebody began to write a target in place and was not seen to end well: the target may be half written.
 *
 * @param worker the process that wrote; null as long as it was not known
 */
record Unfinished(FencingToken token, @Nullable Worker worker) {
    /** A process, told from a later one with the same number by when it started. */
    record Worker(long pid, long startedMillis, String host) {
        static Worker of(ProcessHandle process) {
            return new Worker(process.pid(), startOf(process), HostName.get());
        }

        /** Whether it can be seen to live. On another host it cannot be seen. */
        boolean isAlive() {
            Optional<ProcessHandle> process = host.equals(HostName.get()) ? ProcessHandle.of(pid) : Optional.empty();
            return process.isPresent() && process.get().isAlive() && startOf(process.get()) == startedMillis;
        }

        private static long startOf(ProcessHandle process) {
            return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        }
    }

    /** For whoever comes next. */
    String warning(Object target) {
        return target + " may be half written: token " + token + " wrote it in place and was not seen to end well";
    }

    static Unfinished parse(String text) {
        String[] parts = text.split(" ", -1);
        FencingToken token = FencingToken.parse(parts[0]);
        return parts.length < 4
                ? new Unfinished(token, null)
                : new Unfinished(token, new Worker(Fields.number(parts[1]), Fields.number(parts[2]), parts[3]));
    }

    @Override
    public String toString() {
        return worker == null
                ? token.toString()
                : token + " " + worker.pid + " " + worker.startedMillis + " " + worker.host;
    }
}
