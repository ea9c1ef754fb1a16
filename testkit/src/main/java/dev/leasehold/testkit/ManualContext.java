package dev.leasehold.testkit;

import dev.leasehold.spi.EngineContext;
import java.time.Duration;

/**
 * Time, waiting and chance under the control of a test: the holder's clocks, the timers and the
 * store's clock move together, and only the test moves them.
 *
 * <pre>{@code
 * ManualContext manual = new ManualContext();
 * MemoryLeaseStore store = new MemoryLeaseStore(StoreId.of(manual.ids().unique()), manual.clock());
 * Leases leases = Leases.over(store).context(manual.context()).build();
 * manual.advance(Duration.ofMinutes(1)); // renewals happen in here
 * manual.freeze(Duration.ofMinutes(5)); // a pause of this process: the lease is lost
 * }</pre>
 */
public final class ManualContext {
    private final ManualTicker ticker = new ManualTicker();
    private final ManualClock clock;
    private final ManualTimers timers = new ManualTimers(this::moveClocks);
    private final ManualIds ids;

    public ManualContext() {
        this(new ManualClock(), new ManualIds());
    }

    /**
     * @param clock moves with everything else; if several contexts share a clock, let only one move
     *     it
     */
    public ManualContext(ManualClock clock, ManualIds ids) {
        this.clock = clock;
        this.ids = ids;
    }

    /** The context for the engine. */
    public EngineContext context() {
        return new EngineContext(ticker, timers, ids);
    }

    /** Lets time pass and runs everything that becomes due. */
    public void advance(Duration duration) {
        timers.advance(duration);
    }

    /**
     * Stops the process, as a signal or a long garbage collection does: time passes, no task runs,
     * and due tasks run afterwards.
     */
    public void freeze(Duration duration) {
        timers.skip(duration);
        timers.advance(Duration.ZERO);
    }

    /**
     * Lets the machine sleep: the monotonic clock and the timers stand still while other machines
     * go on.
     */
    public void laptopSleeps(Duration duration) {
        ticker.sleep(duration);
        clock.advance(duration);
    }

    public ManualTicker ticker() {
        return ticker;
    }

    public ManualTimers timers() {
        return timers;
    }

    /** The clock for the store. */
    public ManualClock clock() {
        return clock;
    }

    public ManualIds ids() {
        return ids;
    }

    private void moveClocks(Duration step) {
        ticker.advance(step);
        clock.advance(step);
    }
}
