package dev.leasehold.jobs;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A person's request to run a job now.
 *
 * @param request drawn once for a request and sent with all its repetitions: together they are one run
 * @param slot the slot that the run gets; never on a whole second, as slots of schedules are
 * @param waiting whether no machine has decided yet what becomes of it
 */
public record JobStart(AttemptId request, Instant slot, boolean waiting, Holder by) {
    JobStart decided() {
        return new JobStart(request, slot, false, by);
    }

    /** Whether a slot was asked for by a person. Slots of a schedule have a resolution of one second. */
    static boolean isSlot(Instant slot) {
        return !slot.truncatedTo(ChronoUnit.SECONDS).equals(slot);
    }
}
