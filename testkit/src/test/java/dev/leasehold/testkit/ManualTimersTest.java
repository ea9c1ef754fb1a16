package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.Timers.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualTimersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTimers timers = new ManualTimers();
    private final List<String> log = new ArrayList<>();

    private void note(String what) {
        log.add(what + "@" + timers.elapsed().toMillis());
    }

    @Test
    void nothingRunsBeforeItsTime() {
        timers.after(SECOND, () -> note("task"));
        timers.advance(SECOND.minusNanos(1));
        assertThat(log).isEmpty();
        assertThat(timers.pending()).isEqualTo(1);
        timers.advance(Duration.ofNanos(1));
        assertThat(log).containsExactly("task@1000");
        timers.advance(SECOND);
        assertThat(log).hasSize(1);
    }

    @Test
    void tasksRunInTheOrderOfTheirTimesAndThenOfTheirPlanning() {
        timers.after(SECOND.multipliedBy(2), () -> note("late"));
        timers.after(SECOND, () -> note("first"));
        timers.after(SECOND, () -> note("second"));
        timers.advance(SECOND.multipliedBy(3));
        assertThat(log).containsExactly("first@1000", "second@1000", "late@2000");
    }

    @Test
    void taskPlannedByATaskRunsWithinTheSameAdvance() {
        timers.after(SECOND, () -> timers.after(SECOND, () -> note("again")));
        timers.advance(SECOND.multipliedBy(2));
        assertThat(log).containsExactly("again@2000");
    }

    @Test
    void cancelledTaskDoesNotRun() {
        Runnable cancel = timers.after(SECOND, () -> note("cancelled"));
        cancel.run();
        cancel.run();
        timers.advance(SECOND);
        assertThat(log).isEmpty();
    }

    @Test
    void taskForALaneRunsAfterTheTaskThatSentIt() {
        timers.run(Lane.CALLBACK, () -> note("outside"));
        timers.after(SECOND, () -> {
            timers.run(Lane.STORE, () -> note("store"));
            timers.run(Lane.CALLBACK, () -> note("callback"));
            note("task");
        });
        timers.advance(SECOND);
        assertThat(log).containsExactly("outside@0", "task@1000", "store@1000", "callback@1000");
    }

    @Test
    void sleepLetsOthersRunMeanwhile() throws InterruptedException {
        timers.after(SECOND, () -> note("timer"));
        timers.sleep(SECOND.multipliedBy(2));
        note("awake");
        assertThat(log).containsExactly("timer@1000", "awake@2000");
    }

    @Test
    void storeLaneRunsOneTaskAtATimeEvenIfItSleeps() {
        timers.after(SECOND, () -> {
            timers.run(Lane.STORE, () -> note("second call"));
            timers.run(Lane.CALLBACK, () -> note("callback"));
        });
        timers.run(Lane.STORE, () -> {
            sleepUnchecked(SECOND.multipliedBy(5));
            note("first call");
        });
        assertThat(log).containsExactly("callback@1000", "first call@5000", "second call@5000");
    }

    @Test
    void taskOvertakenByALongSleepRunsLateAndTimeNeverGoesBack() {
        timers.after(SECOND, () -> sleepUnchecked(SECOND.multipliedBy(10)));
        timers.after(SECOND.multipliedBy(2), () -> note("in the sleep"));
        timers.advance(SECOND.multipliedBy(3));
        assertThat(log).containsExactly("in the sleep@2000");
        assertThat(timers.elapsed()).isEqualTo(SECOND.multipliedBy(11));
    }

    @Test
    void taskThatThrowsDoesNotStopTheOthers() {
        timers.after(SECOND, () -> {
            throw new IllegalStateException("on purpose");
        });
        timers.after(SECOND, () -> note("next"));
        timers.advance(SECOND);
        assertThat(log).containsExactly("next@1000");
        assertThat(timers.failures()).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void storeLaneThatThrewTakesTheNextTask() {
        timers.run(Lane.STORE, () -> {
            throw new IllegalStateException("on purpose");
        });
        timers.run(Lane.STORE, () -> note("next"));
        assertThat(log).containsExactly("next@0");
    }

    @Test
    void closedTimersRunNothing() {
        timers.after(SECOND, () -> note("before"));
        timers.close();
        timers.after(SECOND, () -> note("after"));
        timers.run(Lane.CALLBACK, () -> note("lane"));
        timers.advance(SECOND.multipliedBy(2));
        assertThat(log).isEmpty();
        assertThat(timers.elapsed()).isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void interruptedSleepThrows() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> timers.sleep(SECOND)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(timers.elapsed()).isZero();
    }

    private void sleepUnchecked(Duration duration) {
        try {
            timers.sleep(duration);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
