package dev.leasehold.jobs;

import dev.leasehold.AcquireResult;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers which leases of a job are held elsewhere, and when to ask for them again. Used by one
 * pass at a time.
 */
final class JobWatch {
    /** Long enough for a machine that got a lease to record the slot it starts. */
    private static final Duration FOREIGN_AFTER = Duration.ofSeconds(2);

    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration OFTEN = Duration.ofSeconds(2);

    /**
     * What this machine knows about the holder of a lease.
     *
     * @param inRecord whether the job's record named the token as that of a run; once the record no
     *     longer names it, what is known here is outdated
     * @param since when this was first seen
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

    /** For a program that exits soon: it asks at once whether the run in the record is alive. */
    static JobWatch impatient() {
        return new JobWatch(false);
    }

    /**
     * When to read the record again while another machine runs a slot. If that machine is stopped
     * it may hand its slot on, and only the record shows that.
     */
    Instant readAgain(boolean awaited, Duration heartbeat, Instant now) {
        if (!patient) {
            return Instant.MAX;
        }
        return now.plus(awaited || heartbeat.compareTo(OFTEN) < 0 ? OFTEN : heartbeat);
    }

    /**
     * When to ask for a lease whose run, on another machine, is in the record: that machine may
     * have died.
     */
    Instant askAbout(LeaseName lease, FencingToken token, Duration heartbeat, Instant now) {
        Seen known = seen.get(lease);
        if (known == null || !known.isRun(token)) {
            // Most runs end within one heartbeat. For the others, this is early enough to learn
            // when the lease ends.
            known = new Seen(token, true, now, patient ? now.plus(heartbeat) : now);
            seen.put(lease, known);
        }
        return known.askAgain;
    }

    /** The lease is busy, and its run is in the record. Returns when to ask again. */
    Instant alive(LeaseName lease, AcquireResult.Busy busy, Instant now) {
        Seen known = new Seen(busy.token(), true, now, now.plus(busy.remaining()));
        seen.put(lease, known);
        return known.askAgain;
    }

    /**
     * The lease is busy, and the record does not name its token: a machine is just starting or
     * ending a run, or the holder has nothing to do with this job. Returns whether the latter is
     * likely, because it has lasted for a while.
     */
    boolean isForeign(LeaseName lease, AcquireResult.Busy busy, Instant now) {
        Seen known = seen.get(lease);
        Instant since = known != null && known.isUnknown(busy.token()) ? known.since : now;
        boolean foreign = Duration.between(since, now).compareTo(FOREIGN_AFTER) >= 0;
        Duration pause = foreign && busy.remaining().compareTo(OFTEN) < 0 ? busy.remaining() : foreign ? OFTEN : SOON;
        seen.put(lease, new Seen(busy.token(), false, since, now.plus(pause)));
        return foreign;
    }

    /** When to ask for a lease that belongs to no run in the record. */
    Instant askFor(LeaseName lease, Instant now) {
        Seen known = seen.get(lease);
        // The run that was known has ended, so the lease may be free.
        return known == null || known.inRecord ? now : known.askAgain;
    }

    void forget(LeaseName lease) {
        seen.remove(lease);
    }
}
