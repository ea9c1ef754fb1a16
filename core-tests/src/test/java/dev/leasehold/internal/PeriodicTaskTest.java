package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A periodic task keeps running when a thread cannot be started or a round fails. */
class PeriodicTaskTest {
    private static final long PATIENCE_SECONDS = 30;

    @Test
    void threadThatCouldNotBeStartedIsStartedByTheNextCall() throws InterruptedException {
        AtomicBoolean scarce = new AtomicBoolean(true);
        CountDownLatch looked = new CountDownLatch(1);
        PeriodicTask chore = new PeriodicTask(
                "test-chore",
                1,
                () -> {
                    looked.countDown();
                    return false;
                },
                task -> new Thread(task) {
                    @Override
                    public synchronized void start() {
                        if (scarce.get()) {
                            throw new OutOfMemoryError("unable to create native thread");
                        }
                        super.start();
                    }
                });
        try (chore) {
            chore.begin();
            scarce.set(false);
            chore.begin();
            assertThat(looked.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void roundThatFailsIsFollowedByTheNext() throws InterruptedException {
        CountDownLatch rounds = new CountDownLatch(3);
        PeriodicTask chore = new PeriodicTask("test-chore", 1, () -> {
            rounds.countDown();
            throw new AssertionError("the round's own mistake");
        });
        try (chore) {
            chore.begin();
            assertThat(rounds.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void connectionThatCannotBeCutDoesNotSaveTheOthers() throws InterruptedException {
        Set<String> cut = ConcurrentHashMap.newKeySet();
        CountDownLatch both = new CountDownLatch(2);
        SystemWatchdog<String> watchdog = new SystemWatchdog<>(Duration.ofMillis(1), connection -> {
            if (cut.add(connection)) {
                both.countDown();
            }
            throw new AssertionError("cannot cut " + connection);
        });
        watchdog.begin("one");
        watchdog.begin("two");
        assertThat(both.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        watchdog.end("one");
        watchdog.end("two");
        watchdog.close();
    }
}
