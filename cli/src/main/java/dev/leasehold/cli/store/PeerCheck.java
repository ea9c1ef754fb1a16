package dev.leasehold.cli.store;

import dev.leasehold.internal.HostName;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.Words;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Finds out whether two hosts use one store. Each leaves a note in the store's register and looks for
 * the note of the other. A host that sees another store never finds it.
 */
final class PeerCheck implements AutoCloseable {
    private static final String PREFIX = "doctor-peer#";
    private static final int MOST_NOTES = 100;
    private static final Duration POLL = Duration.ofMillis(200);
    /** So that the other host can still read that it was seen. */
    private static final Duration LINGER = Duration.ofSeconds(3);
    /** A note this old was left by a process that died. */
    private static final Duration KEPT = Duration.ofMinutes(5);

    private final CasRegister register;
    private final String me = new SystemIds().unique();
    private final String name = HostName.get() + "-" + ProcessHandle.current().pid();
    private final Set<String> seen = new TreeSet<>();

    /** A note: when it was left, by which process, and whose notes that process has read. */
    private record Note(Instant at, String name, Set<String> seen) {
        static Note parse(String text) {
            Words words = new Words("a note of doctor --peer", text);
            Instant at = words.instant();
            String name = words.word();
            Set<String> seen = new TreeSet<>();
            while (words.left() > 0) {
                seen.add(words.word());
            }
            return new Note(at, name, seen);
        }

        @Override
        public String toString() {
            return Words.join(at, name) + (seen.isEmpty() ? "" : " " + String.join(" ", seen));
        }
    }

    PeerCheck(LeaseStore store) {
        this.register = store.register();
    }

    /** The name of the process that sees our note and whose note we see; empty if there was none in time, or before the stop. */
    Optional<String> find(Duration wait, BooleanSupplier stop) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        leaveNote();
        do {
            for (String key : register.keys(PREFIX, "", MOST_NOTES)) {
                Optional<String> peer = key.equals(PREFIX + me) ? Optional.empty() : meet(key);
                if (peer.isPresent()) {
                    Thread.sleep(LINGER.toMillis());
                    return peer;
                }
            }
            Thread.sleep(POLL.toMillis());
        } while (System.nanoTime() - deadline < 0 && !stop.getAsBoolean());
        return Optional.empty();
    }

    private Optional<String> meet(String key) {
        CasRegister.Reading reading = register.read(key);
        if (reading.value().isEmpty()) {
            return Optional.empty();
        }
        Note note = Note.parse(reading.value().get());
        if (note.at.plus(KEPT).isBefore(reading.at())) {
            register.remove(key, reading.version());
            return Optional.empty();
        }
        if (seen.add(key.substring(PREFIX.length()))) {
            leaveNote();
        }
        return note.seen.contains(me) ? Optional.of(note.name) : Optional.empty();
    }

    private void leaveNote() {
        CasRegister.Reading mine = register.read(PREFIX + me);
        register.compareAndSet(PREFIX + me, mine.version(), new Note(mine.at(), name, seen).toString());
    }

    @Override
    public void close() {
        register.remove(PREFIX + me, register.read(PREFIX + me).version());
    }
}
