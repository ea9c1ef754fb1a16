package dev.leasehold.store;

import dev.leasehold.internal.SystemTicker;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Since when this host has seen records unchanged, for stores without a clock. An observation begins after the answer of
 * the store arrived, so it is never longer than the record really was unchanged. To lose one is harmless: it begins
 * anew, and a lease that nobody renews is granted later.
 *
 * <p>Safe for use by many threads.
 */
public final class Observations {
    private static final int MAX_RECORDS = 10_000;

    /** How many records are remembered that were only seen in lists. */
    private static final int MAX_LISTED = 100_000;

    /**
     * How many versions of a record are remembered. A thread may judge by a version that it has read just before another
     * thread replaced it; it must not begin to observe what was observed long ago.
     */
    private static final int MAX_VERSIONS = 4;

    private record Observation(String version, ClockReading since) {
        boolean isOf(String other) {
            return version.equals(other);
        }
    }

    private static final Deque<Observation> NONE = new ArrayDeque<>();

    private final Ticker ticker;
    private final InstantSource clock;
    private final Map<String, Deque<Observation>> observed = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Observation>> eldest) {
            return size() > MAX_RECORDS;
        }
    };

    /** Apart from the others: a list of many records must not drop the observations of those who wait for one. */
    private final Map<String, Observation> listed = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Observation> eldest) {
            return size() > MAX_LISTED;
        }
    };

    private @Nullable Path directory;
    private @Nullable ObservationFiles files;

    /**
     * Keeps observations in memory.
     *
     * @param ticker measures how long a record was unchanged
     * @param clock dates what people read
     */
    public Observations(Ticker ticker, InstantSource clock) {
        this.ticker = ticker;
        this.clock = clock;
    }

    private static final class OfThisProcess {
        private static final Observations INSTANCE = new Observations(new SystemTicker(), Clock.systemUTC());
    }

    /** What all clients in this process have seen. */
    public static Observations ofThisProcess() {
        return OfThisProcess.INSTANCE;
    }

    /**
     * Also keeps observations in a directory of this host, so that commands that run for a moment each can wait
     * together. Does nothing where no clock counts since the start of the host, as on systems other than Linux.
     */
    public void keepIn(Path kept) {
        synchronized (observed) {
            directory = kept;
            files = null;
        }
    }

    /**
     * The same in virtual time.
     *
     * @param hostClock names the clock of {@link ClockReading#sleepingNanos}; observations by other clocks do not count
     */
    public void keepIn(Path kept, String hostClock) {
        synchronized (observed) {
            directory = null;
            files = new ObservationFiles(kept, hostClock);
        }
    }

    Instant hostTime() {
        return clock.instant();
    }

    /** The version was written by this process just now. */
    void begin(String record, String version) {
        synchronized (observed) {
            add(record, new Observation(version, ticker.read()));
        }
    }

    private void add(String record, Observation latest) {
        Deque<Observation> versions = observed.computeIfAbsent(record, name -> new ArrayDeque<>(MAX_VERSIONS));
        if (versions.size() == MAX_VERSIONS) {
            versions.removeLast();
        }
        versions.addFirst(latest);
    }

    /** Whether this process has seen this version of the record, and no other since. */
    boolean isLatest(String record, String version) {
        synchronized (observed) {
            Deque<Observation> versions = observed.get(record);
            return versions != null && versions.getFirst().version.equals(version);
        }
    }

    /** How long the record has surely been unchanged. The version must have been read before this call. */
    Duration unchanged(String record, String version) {
        synchronized (observed) {
            ClockReading now = ticker.read();
            for (Observation known : observed.getOrDefault(record, NONE)) {
                if (known.version.equals(version)) {
                    return known.since.surelyPassedUntil(now);
                }
            }
            Observation begun = new Observation(version, firstSeen(record, version, now));
            add(record, begun);
            return begun.since.surelyPassedUntil(now);
        }
    }

    /**
     * The same for one record of a list, in which people look at many that nobody waits for. It reads the notes on disk, and
     * writes none: there is room for few, and those who wait need them.
     */
    Duration unchangedInList(String record, String version) {
        synchronized (observed) {
            ClockReading now = ticker.read();
            for (Observation known : observed.getOrDefault(record, NONE)) {
                if (known.isOf(version)) {
                    return known.since.surelyPassedUntil(now);
                }
            }
            Observation known = listed.get(record);
            if (known == null || !known.isOf(version)) {
                ObservationFiles notes = files();
                known = new Observation(version, notes == null ? now : notes.noted(record, version, now));
                listed.put(record, known);
            }
            return known.since.surelyPassedUntil(now);
        }
    }

    private ClockReading firstSeen(String record, String version, ClockReading now) {
        Observation inList = listed.remove(record);
        ClockReading since = inList != null && inList.isOf(version) ? inList.since : now;
        ObservationFiles notes = files();
        return notes == null ? since : notes.since(record, version, since);
    }

    private @Nullable ObservationFiles files() {
        if (files == null && directory != null) {
            files = ObservationFiles.in(directory);
            directory = null;
        }
        return files;
    }
}
