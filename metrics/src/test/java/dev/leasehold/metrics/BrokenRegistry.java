package dev.leasehold.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeCounter;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;

/** A registry that takes every meter and then fails at each event. */
final class BrokenRegistry extends SimpleMeterRegistry {
    @Override
    protected Counter newCounter(Meter.Id id) {
        return new CumulativeCounter(id) {
            @Override
            public void increment(double amount) {
                throw new IllegalStateException("the registry is broken");
            }
        };
    }

    @Override
    protected Timer newTimer(Meter.Id id, DistributionStatisticConfig settings, PauseDetector pauses) {
        return new CumulativeTimer(id, clock, settings, pauses, TimeUnit.SECONDS) {
            @Override
            protected void recordNonNegative(long amount, TimeUnit unit) {
                throw new IllegalStateException("the registry is broken");
            }
        };
    }
}
