package dev.leasehold.internal;

import dev.leasehold.model.LeaseName;
import java.time.Instant;

/** A listener of leases that also counts the slots of scheduled jobs. */
public interface SlotCounter {
    /** A slot was not run because an earlier slot or another holder was at work. Not a failure. */
    void slotSkipped(LeaseName job, Instant slot);

    /** Slots were missed and will not be made up for. */
    void slotsDropped(LeaseName job, long slots);
}
