package dev.leasehold.internal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The other processes that compete for one name, as far as this process has heard: those that were granted the lease lately.
 * Not safe for use by many threads.
 */
final class Rivals {
    /**
     * Who was not granted the lease during so many hand-overs, and so many more for each rival, has probably stopped waiting: if all
     * have the same chance, one in fifty is missed.
     */
    private static final int REMEMBERED = 16;

    private static final int REMEMBERED_PER_RIVAL = 4;

    private static final long FORGOTTEN_AFTER_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** More would not make the delay longer. */
    private static final int MOST_BELIEVED = 10_000;

    /** Someone who was faster than this process, but did not tell who it is. */
    private static final String UNKNOWN = "";

    /** When each rival was granted the lease last, counted in hand-overs; the latest is last. */
    private final Map<String, Long> latest = new LinkedHashMap<>();

    private long handOvers;
    private long heardAt;
    /** What the last rival said about the number of its own rivals. It has perhaps waited here for longer. */
    private int told;

    void granted(String rival, int itsRivals, long now) {
        latest.remove(rival);
        latest.put(rival, ++handOvers);
        told = Math.max(0, Math.min(MOST_BELIEVED, itsRivals));
        heardAt = now;
        removeOld();
    }

    /** The name was busy again when this process asked, although it had just become free. */
    void grantedToSomeone(long now) {
        granted(UNKNOWN, told, now);
    }

    void grantedToMe() {
        handOvers++;
        removeOld();
    }

    private void removeOld() {
        Iterator<Long> oldest = latest.values().iterator();
        while (oldest.hasNext() && handOvers - oldest.next() >= REMEMBERED + REMEMBERED_PER_RIVAL * latest.size()) {
            oldest.remove();
        }
    }

    /** How many this process has heard of itself. */
    int heard(long now) {
        if (now - heardAt > FORGOTTEN_AFTER_NANOS) {
            latest.clear();
        }
        return latest.size();
    }

    /** How many there probably are. */
    int count(long now) {
        int heard = heard(now);
        return heard == 0 ? 0 : Math.max(heard, told);
    }
}
