package dev.leasehold.testkit;

import dev.leasehold.spi.EngineContext;
import java.time.Duration;

/**
 * Time, waiting and chance in one hand: the holder's clocks, the timers and the store's clock move together, and only when
 * the test says so.
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

    /** @param clock moves along with everything else; let only one of several contexts move a shared one */
    public ManualContext(ManualClock clock, ManualIds ids) {
        this.clock = clock;
        this.ids = ids;
    }

    /** What is handed to the engine. */
    public EngineContext context() {
        return new EngineContext(ticker, timers, ids);
    }

    /** Time passes and everything that falls due in it happens. */
    public void advance(Duration duration) {
        timers.advance(duration);
    }

    /** The process is stopped (a signal, a long collection): time passes, nothing runs, and what was due runs afterwards. */
    public void freeze(Duration duration) {
        timers.skip(duration);
        timers.advance(Duration.ZERO);
    }

    /** The machine sleeps: the monotonic clock and the timers stand still while the rest of the world goes on. */
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

    /** For the store. */
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
