package dev.leasehold.internal;

import dev.leasehold.model.Holder;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Ids;

/** The real clocks, timers and random numbers. */
public final class SystemContext {
    private SystemContext() {}

    public static EngineContext create() {
        return new EngineContext(new SystemTicker(), new SystemTimers(), new SystemIds());
    }

    /**
     * {@code host-pid-random}: readable, and different after a restart even if the pid is the same.
     */
    public static Holder defaultHolder(Ids ids) {
        return Holder.of(HostName.get() + "-" + ProcessHandle.current().pid() + "-"
                + ids.unique().substring(0, 6));
    }
}
