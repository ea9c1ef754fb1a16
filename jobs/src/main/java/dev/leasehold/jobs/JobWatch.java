package dev.leasehold.jobs;

import dev.leasehold.Attempt;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What one machine remembers of leases of a job that others hold: when it is worth asking for them. Used by one look at a
 * time.
 */
final class JobWatch {
    /** Long enough for a machine that got a lease to write down for which slot. */
    private static final Duration STRANGER_AFTER = Duration.ofSeconds(2);

    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration OFTEN = Duration.ofSeconds(2);

    private record Seen(FencingToken token, Instant since, Instant askAgain) {}

    private final Map<LeaseName, Seen> seen = new HashMap<>();
    private final boolean patient;

    JobWatch() {
        this(true);
    }

    private JobWatch(boolean patient) {
        this.patient = patient;
    }

    /** For a program that does not stay: it asks at once whether the run in the record is alive. */
    static JobWatch impatient() {
        return new JobWatch(false);
    }

    /** When to ask for a lease whose run is in the record and somewhere else: its machine may have died. */
    Instant askAbout(LeaseName lease, FencingToken token, Duration heartbeat, Instant now) {
        Seen known = seen.get(lease);
        if (known == null || !known.token.equals(token)) {
            // Most runs are over before that; for the others it is early enough to learn when their lease ends.
            known = new Seen(token, now, patient ? now.plus(heartbeat) : now);
            seen.put(lease, known);
        }
        return known.askAgain;
    }

    /** A lease was busy, and its run is in the record. */
    void alive(LeaseName lease, Attempt.Busy busy, Instant now) {
        seen.put(lease, new Seen(busy.token(), now, now.plus(busy.remaining())));
    }

    /**
     * A lease was busy, and the record does not know by whom: somebody is just taking a turn, or has nothing to do with this
     * job. Whether it is the latter, as far as can be told.
     */
    boolean isStranger(LeaseName lease, Attempt.Busy busy, Instant now) {
        Seen known = seen.get(lease);
        Instant since = known != null && known.token.equals(busy.token()) ? known.since : now;
        boolean stranger = Duration.between(since, now).compareTo(STRANGER_AFTER) >= 0;
        Duration pause = stranger && busy.remaining().compareTo(OFTEN) < 0 ? busy.remaining() : stranger ? OFTEN : SOON;
        seen.put(lease, new Seen(busy.token(), since, now.plus(pause)));
        return stranger;
    }

    Instant askAgain(LeaseName lease, Instant otherwise) {
        Seen known = seen.get(lease);
        return known == null ? otherwise : known.askAgain;
    }

    void forget(LeaseName lease) {
        seen.remove(lease);
    }
}
