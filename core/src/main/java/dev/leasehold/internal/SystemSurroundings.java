package dev.leasehold.internal;

import dev.leasehold.internal.disk.HostName;
import dev.leasehold.model.Holder;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Surroundings;

/** What production hands to the engine. */
public final class SystemSurroundings {
    private SystemSurroundings() {}

    public static Surroundings create() {
        return new Surroundings(new SystemTicker(), new SystemTimers(), new SystemIds());
    }

    /** {@code host-pid-random}: readable, and different after a restart even where the pid comes around again. */
    public static Holder defaultHolder(Ids ids) {
        return Holder.of(HostName.get() + "-" + ProcessHandle.current().pid() + "-"
                + ids.unique().substring(0, 6));
    }
}
