package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leases;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.FaultyLeaseStore;
import dev.leasehold.testkit.ManualContext;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two instances of an application in virtual time. What ShedLock's suite tests is not repeated here. */
class LeaseholdLockProviderTest {
    private static final LeaseName NAME = LeaseName.of("report");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final Logger LOG = Logger.getLogger(LeaseholdLockProvider.class.getName());

    private final Thread tester = Thread.currentThread();
    private final List<String> warnings = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            // Other tests run at the same time and log too.
            if (Thread.currentThread() == tester) {
                warnings.add(entry.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final ManualContext manual = new ManualContext();
    private final LeaseStore store = new MemoryLeaseStore(StoreId.of("store-of-the-test"), manual.clock());
    private final FaultyLeaseStore faulty = new FaultyLeaseStore(store, manual.timers());
    private final LeaseholdLockProvider here = provider(faulty, "here");
    private final LeaseholdLockProvider there = provider(store, "there");

    private LeaseholdLockProvider provider(LeaseStore through, String holder) {
        return new LeaseholdLockProvider(Leases.over(through)
                .context(manual.context())
                .holder(Holder.of(holder))
                .build());
    }

    @BeforeEach
    void readTheLog() {
        LOG.addHandler(handler);
    }

    @AfterEach
    void cleanUp() {
        LOG.removeHandler(handler);
        Thread.interrupted();
    }

    private static LockConfiguration configuration(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), NAME.value(), atMost, atLeast);
    }

    private static Optional<SimpleLock> lock(LockProvider provider, Duration atMost) {
        return provider.lock(configuration(atMost, Duration.ZERO));
    }

    @Test
    void everyLockHasAHigherTokenAndIsInTheHistory() {
        lock(here, MINUTE).orElseThrow().unlock();
        assertThat(lock(there, MINUTE)).isPresent();

        assertThat(store.history(NAME, 10))
                .extracting(Transfer::token, Transfer::holder)
                .map(Object::toString)
                .containsExactly("(2, there)", "(1, here)");
    }

    @Test
    void zombieDoesNotUnlockItsSuccessor() {
        SimpleLock zombie = lock(here, MINUTE).orElseThrow();
        manual.advance(MINUTE);
        assertThat(lock(there, MINUTE)).isPresent();

        zombie.unlock();

        assertThat(lock(here, MINUTE)).isEmpty();
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains(
                        "the task of lock 'report' (token 1) ended 1m after it began",
                        "superseded by token 2 of there",
                        "Raise lockAtMostFor (1m), or use keepAlive()");
    }

    @Test
    void lostReplyDoesNotLockOutTheTask() {
        faulty.dropReplyOnce(StoreOperation.ACQUIRE);

        assertThat(lock(here, MINUTE)).isPresent();
        assertThat(store.history(NAME, 10)).hasSize(1);
    }

    @Test
    void taskDoesNotRunIfTheStoreDoesNotAnswer() {
        for (int i = 0; i < 3; i++) {
            faulty.dropRequestOnce(StoreOperation.ACQUIRE);
        }
        AtomicBoolean ran = new AtomicBoolean();

        assertThatThrownBy(() -> new DefaultLockingTaskExecutor(here)
                        .executeWithLock((Runnable) () -> ran.set(true), configuration(MINUTE, Duration.ZERO)))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("lock 'report' was not acquired, and its task does not run");
        assertThat(ran).isFalse();
    }

    @Test
    void exceptionOfTheTaskIsNotReplacedByThatOfTheStore() {
        faulty.dropRequestOnce(StoreOperation.RELEASE);

        assertThatThrownBy(() -> run(() -> {
                    throw new IllegalStateException("the task's own");
                }))
                .hasMessage("the task's own");
        assertThat(lock(there, MINUTE)).as("a lock that was not given back").isEmpty();
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("lock 'report' was not given back, and stays taken until its lockAtMostFor of 1m has passed");
    }

    @Test
    void exceptionOfAFailedExtensionReachesTheCaller() {
        assertThatThrownBy(() -> run(() -> {
                    manual.advance(MINUTE);
                    LockExtender.extendActiveLock(MINUTE, Duration.ZERO);
                }))
                .isInstanceOf(LockExtender.LockCanNotBeExtendedException.class);
    }

    @Test
    void extensionWithoutAnAnswerIsAnErrorAndCanBeRepeated() {
        SimpleLock lock = lock(here, MINUTE).orElseThrow();
        faulty.dropReplyOnce(StoreOperation.RENEW);

        assertThatThrownBy(() -> lock.extend(MINUTE, Duration.ZERO))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("whether lock 'report' was extended is unknown");
        assertThat(lock.extend(MINUTE, Duration.ZERO)).isPresent();
    }

    private void run(Runnable task) {
        new DefaultLockingTaskExecutor(here).executeWithLock(task, configuration(MINUTE, Duration.ZERO));
    }

    @Test
    void extensionDoesNotShortenTheLock() {
        SimpleLock lock = lock(here, MINUTE.multipliedBy(10)).orElseThrow();
        assertThat(lock.extend(MINUTE, Duration.ZERO)).isPresent();
        manual.advance(MINUTE.multipliedBy(9));

        assertThat(lock(there, MINUTE)).isEmpty();
    }

    @Test
    void minimumHoldOfAnExtensionCountsFromTheExtension() {
        SimpleLock lock = lock(here, MINUTE.multipliedBy(10)).orElseThrow();
        manual.advance(MINUTE.multipliedBy(3));
        lock.extend(MINUTE.multipliedBy(10), MINUTE.multipliedBy(2))
                .orElseThrow()
                .unlock();
        manual.advance(MINUTE.multipliedBy(2).minusMillis(1));
        assertThat(lock(there, MINUTE)).isEmpty();

        manual.advance(Duration.ofMillis(1));
        assertThat(lock(there, MINUTE)).isPresent();
    }

    @Test
    void interruptedThreadGivesItsLockBackAndStaysInterrupted() {
        SimpleLock lock = lock(here, MINUTE).orElseThrow();
        Thread.currentThread().interrupt();
        lock.unlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock(there, MINUTE)).isPresent();
    }

    @Test
    void onlyALockThatIsKeptAliveOutlivesLockAtMostFor() {
        SimpleLock kept = lock(here.keepAlive(), MINUTE).orElseThrow();
        manual.advance(MINUTE.multipliedBy(10));
        assertThat(lock(there, MINUTE)).isEmpty();

        kept.unlock();
        assertThat(lock(there, MINUTE)).isPresent();
        manual.advance(MINUTE);
        assertThat(lock(here, MINUTE)).isPresent();
    }

    @Test
    void lockThatIsKeptAliveHasAMinimumHoldAndCanBeExtended() {
        SimpleLock lock = here.keepAlive().lock(configuration(MINUTE, MINUTE)).orElseThrow();
        SimpleLock extended =
                lock.extend(MINUTE.multipliedBy(5), MINUTE.multipliedBy(3)).orElseThrow();
        extended.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
        manual.advance(MINUTE.multipliedBy(3).minusMillis(1));
        assertThat(lock(there, MINUTE)).isEmpty();

        manual.advance(Duration.ofMillis(1));
        assertThat(lock(there, MINUTE)).isPresent();
    }

    @Test
    void taskOfALostLockIsInterruptedAndTheNextTaskIsNot() {
        SimpleLock lock = lock(here.keepAlive(), MINUTE).orElseThrow();
        store.intervene(Intervention.takeover(
                NAME, AttemptId.of("attempt-of-an-operator"), Holder.of("operator"), MINUTE, Note.of("it hangs")));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        manual.advance(MINUTE);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();

        lock.unlock();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void instancesWithTheFormerProviderAndWithBothExcludeEachOther() {
        LeaseholdLockProvider former =
                provider(new MemoryLeaseStore(StoreId.of("the-former-store"), manual.clock()), "former");
        LockProvider both = here.alongside(former);

        SimpleLock old = lock(former, MINUTE).orElseThrow();
        assertThat(lock(both, MINUTE)).isEmpty();
        assertThat(lock(there, MINUTE)).as("the lease was given back").isPresent();
        old.unlock();
        assertThat(lock(both, MINUTE)).isEmpty();
        manual.advance(MINUTE);

        SimpleLock held = both.lock(configuration(MINUTE, MINUTE)).orElseThrow();
        assertThat(lock(former, MINUTE)).isEmpty();
        assertThat(lock(there, MINUTE)).isEmpty();
        held.extend(MINUTE, MINUTE).orElseThrow().unlock();
        assertThat(lock(both, MINUTE)).as("within the minimum hold").isEmpty();
        manual.advance(MINUTE);
        assertThat(lock(both, MINUTE)).isPresent();
    }

    @Test
    void leaseIsGivenBackIfTheFormerProviderFails() {
        LockProvider both = here.alongside(configuration -> {
            throw new IllegalStateException("the former provider failed");
        });

        assertThatThrownBy(() -> lock(both, MINUTE)).hasMessage("the former provider failed");
        assertThat(lock(there, MINUTE)).isPresent();
    }

    @Test
    void timesThatALeaseCannotHaveAreRefused() {
        assertThatThrownBy(() -> lock(here.keepAlive(), Duration.ofMillis(99)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lock 'report' cannot be kept alive: its lockAtMostFor of 99ms");
        assertThatThrownBy(() -> lock(here, Duration.ofDays(367)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 366d are allowed");
        SimpleLock lock = lock(here, MINUTE).orElseThrow();
        assertThatThrownBy(() -> lock.extend(Duration.ofDays(367), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        lock.unlock();
    }
}
