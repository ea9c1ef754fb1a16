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
        CountDownLatch ran = new CountDownLatch(1);
        PeriodicTask periodic = new PeriodicTask(
                "test-periodic",
                1,
                () -> {
                    ran.countDown();
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
        try (periodic) {
            periodic.begin();
            scarce.set(false);
            periodic.begin();
            assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void roundThatFailsIsFollowedByTheNext() throws InterruptedException {
        CountDownLatch rounds = new CountDownLatch(3);
        PeriodicTask periodic = new PeriodicTask("test-periodic", 1, () -> {
            rounds.countDown();
            throw new AssertionError("injected");
        });
        try (periodic) {
            periodic.begin();
            assertThat(rounds.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void failureToCutOneConnectionDoesNotSpareTheOthers() throws InterruptedException {
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
