package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.AttemptId;
import dev.leasehold.spi.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void advanceMovesBothClocksOfTheTicker() {
        ManualTicker ticker = new ManualTicker();
        ClockReading before = ticker.read();
        assertThat(ticker.read()).isEqualTo(before);
        ticker.advance(SECOND);
        assertThat(ticker.read().monotonicNanos() - before.monotonicNanos()).isEqualTo(SECOND.toNanos());
        assertThat(ticker.read().sleepingNanos() - before.sleepingNanos()).isEqualTo(SECOND.toNanos());
        assertThatThrownBy(() -> ticker.advance(SECOND.negated())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sleepOfTheMachineIsSeenByOneClockOnly() {
        ManualTicker ticker = new ManualTicker();
        ClockReading before = ticker.read();
        ticker.sleep(SECOND);
        assertThat(ticker.read().monotonicNanos()).isEqualTo(before.monotonicNanos());
        assertThat(before.elapsedUntil(ticker.read())).isEqualTo(SECOND);
    }

    @Test
    void wallClockThatIsSetBackDoesNotMakeTimeRunBackwards() {
        ManualTicker ticker = new ManualTicker();
        ClockReading before = ticker.read();
        ticker.jumpWallClock(Duration.ofHours(-1));
        assertThat(ticker.read().sleepingNanos()).isLessThan(before.sleepingNanos());
        ticker.advance(SECOND);
        assertThat(before.elapsedUntil(ticker.read())).isEqualTo(SECOND);
        ticker.jumpWallClock(Duration.ofHours(2));
        assertThat(before.elapsedUntil(ticker.read()))
                .isEqualTo(Duration.ofHours(1).plus(SECOND));
    }

    @Test
    void clockIsSetAndMovedInAllItsZones() {
        ManualClock clock = new ManualClock(Instant.EPOCH);
        var elsewhere = clock.withZone(ZoneId.of("Asia/Tokyo"));
        clock.advance(SECOND);
        assertThat(elsewhere.instant()).isEqualTo(Instant.EPOCH.plus(SECOND));
        assertThat(elsewhere.getZone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
        clock.set(Instant.EPOCH);
        clock.advance(SECOND.negated());
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH.minus(SECOND));
    }

    @Test
    void idsAreValidDistinctAndRepeatable() {
        Set<String> drawn = new HashSet<>();
        ManualIds first = new ManualIds();
        ManualIds again = new ManualIds();
        ManualIds other = new ManualIds("other");
        for (int i = 0; i < 100; i++) {
            String id = first.unique();
            assertThat(AttemptId.of(id).value()).matches("[A-Za-z0-9]{8,64}");
            assertThat(again.unique()).isEqualTo(id);
            assertThat(drawn.add(id)).isTrue();
            assertThat(drawn.add(other.unique())).isTrue();
            assertThat(first.below(7)).isBetween(0L, 6L).isEqualTo(again.below(7));
        }
        assertThat(first.below(0)).isZero();
        assertThatThrownBy(() -> new ManualIds("1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tickerTimersAndClockMoveTogether() {
        ManualContext manual = new ManualContext();
        ClockReading before = manual.ticker().read();
        Instant start = manual.clock().instant();
        manual.advance(SECOND);
        assertThat(before.elapsedUntil(manual.ticker().read())).isEqualTo(SECOND);
        assertThat(manual.clock().instant()).isEqualTo(start.plus(SECOND));
        assertThat(manual.timers().elapsed()).isEqualTo(SECOND);
        manual.laptopSleeps(SECOND);
        assertThat(manual.timers().elapsed()).isEqualTo(SECOND);
        assertThat(manual.clock().instant()).isEqualTo(start.plus(SECOND).plus(SECOND));
        assertThat(before.elapsedUntil(manual.ticker().read())).isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void frozenProcessRunsItsTimersLate() {
        ManualContext manual = new ManualContext();
        ClockReading before = manual.ticker().read();
        Duration[] ranAfter = new Duration[1];
        manual.timers()
                .after(
                        SECOND,
                        () -> ranAfter[0] = before.elapsedUntil(manual.ticker().read()));
        manual.freeze(Duration.ofMinutes(5));
        assertThat(ranAfter[0]).isEqualTo(Duration.ofMinutes(5));
    }
}
