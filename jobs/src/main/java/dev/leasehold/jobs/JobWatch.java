package dev.leasehold.jobs;

import dev.leasehold.AcquireResult;
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

    /**
     * What a machine saw of a lease.
     *
     * @param inRecord whether the job's record named the token as that of a run; what was learnt about a run says nothing
     *     any more once the record does not name it
     * @param since since when it was seen like that
     */
    private record Seen(FencingToken token, boolean inRecord, Instant since, Instant askAgain) {
        boolean isRun(FencingToken other) {
            return inRecord && token.equals(other);
        }

        boolean isUnknown(FencingToken other) {
            return !inRecord && token.equals(other);
        }
    }

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

    /**
     * When to read the record again in which another machine runs a slot. If that machine is told to stop it starts nothing
     * more, and may hand its slot on: nothing but the record says so.
     */
    Instant readAgain(boolean awaited, Duration heartbeat, Instant now) {
        if (!patient) {
            return Instant.MAX;
        }
        return now.plus(awaited || heartbeat.compareTo(OFTEN) < 0 ? OFTEN : heartbeat);
    }

    /** When to ask for a lease whose run is in the record and somewhere else: its machine may have died. */
    Instant askAbout(LeaseName lease, FencingToken token, Duration heartbeat, Instant now) {
        Seen known = seen.get(lease);
        if (known == null || !known.isRun(token)) {
            // Most runs are over before that; for the others it is early enough to learn when their lease ends.
            known = new Seen(token, true, now, patient ? now.plus(heartbeat) : now);
            seen.put(lease, known);
        }
        return known.askAgain;
    }

    /** A lease was busy, and its run is in the record. When to ask about it again. */
    Instant alive(LeaseName lease, AcquireResult.Busy busy, Instant now) {
        Seen known = new Seen(busy.token(), true, now, now.plus(busy.remaining()));
        seen.put(lease, known);
        return known.askAgain;
    }

    /**
     * A lease was busy, and the record does not know by whom: somebody is just taking a turn or giving one back, or has
     * nothing to do with this job. Whether it is the latter, as far as can be told.
     */
    boolean isStranger(LeaseName lease, AcquireResult.Busy busy, Instant now) {
        Seen known = seen.get(lease);
        Instant since = known != null && known.isUnknown(busy.token()) ? known.since : now;
        boolean stranger = Duration.between(since, now).compareTo(STRANGER_AFTER) >= 0;
        Duration pause = stranger && busy.remaining().compareTo(OFTEN) < 0 ? busy.remaining() : stranger ? OFTEN : SOON;
        seen.put(lease, new Seen(busy.token(), false, since, now.plus(pause)));
        return stranger;
    }

    /** When to ask for a lease that no run in the record has. */
    Instant askFor(LeaseName lease, Instant now) {
        Seen known = seen.get(lease);
        // A run that was seen before has ended since: the lease may be free already.
        return known == null || known.inRecord ? now : known.askAgain;
    }

    void forget(LeaseName lease) {
        seen.remove(lease);
    }
}
