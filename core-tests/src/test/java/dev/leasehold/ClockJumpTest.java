package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualIds;
import dev.leasehold.testkit.ManualTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The clock of a store is set back or ahead: no name is locked for as long as the jump, and tokens
 * only rise.
 */
class ClockJumpTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final LeaseName NAME = LeaseName.of("job");

    private final ManualClock clock = new ManualClock();

    @Test
    void leaseOfADeadHolderIsGrantedWithinOneTtlOfTheFirstRequest() {
        onEachStore(store -> {
            granted(store, "attempt-0001");
            clock.advance(Duration.ofHours(-1));
            assertThat(acquire(store, "attempt-0002"))
                    .isInstanceOfSatisfying(Acquisition.Busy.class, busy -> assertThat(busy.remaining())
                            .isLessThanOrEqualTo(TTL));
            clock.advance(TTL);
            assertThat(granted(store, "attempt-0002").token().value()).isEqualTo(2);
        });
    }

    @Test
    void liveHolderKeepsItsLeaseWhenTheClockIsSetBack() {
        onEachStore(store -> {
            Grant grant = granted(store, "attempt-0001");
            clock.advance(Duration.ofHours(-1));
            for (int i = 0; i < 20; i++) {
                assertThat(acquire(store, "attempt-0002")).isInstanceOf(Acquisition.Busy.class);
                assertThat(renew(store, grant)).isInstanceOf(Renewal.Renewed.class);
                clock.advance(TTL.dividedBy(3));
            }
        });
    }

    /**
     * A holder trusts its lease for some time after a renewal. The store must keep the lease for
     * that time, even if no client asked until the clock was right again.
     */
    @Test
    void renewalUnderAClockThatWasSetBackLastsItsWholeTtl() {
        onEachStore(store -> {
            Grant grant = granted(store, "attempt-0001");
            clock.advance(Duration.ofSeconds(-50));
            assertThat(renew(store, grant)).isInstanceOf(Renewal.Renewed.class);
            clock.advance(TTL.minusMillis(1));
            assertThat(acquire(store, "attempt-0002")).isInstanceOf(Acquisition.Busy.class);
        });
    }

    @Test
    void releasedLeaseIsFreeUnderAClockThatIsSetBack() {
        onEachStore(store -> {
            Grant grant = granted(store, "attempt-0001");
            store.release(grant, Duration.ZERO);
            clock.advance(Duration.ofHours(-1));
            assertThat(granted(store, "attempt-0002").token().value()).isEqualTo(2);
            // A successor that died blocks the name for no longer than a ttl.
            assertThat(acquire(store, "attempt-0003")).isInstanceOf(Acquisition.Busy.class);
            clock.advance(TTL);
            assertThat(granted(store, "attempt-0003").token().value()).isEqualTo(3);
        });
    }

    /** A grant by the old clock lies in the future of the new clock. */
    @Test
    void nameIsFreeWhenItsHolderReleasesItAfterTheSetBackWasNoticed() {
        onEachStore(store -> {
            Grant grant = granted(store, "attempt-0001");
            clock.advance(Duration.ofHours(-1));
            assertThat(acquire(store, "attempt-0002")).isInstanceOf(Acquisition.Busy.class);
            store.release(grant, Duration.ofSeconds(1));
            clock.advance(Duration.ofSeconds(1));
            assertThat(granted(store, "attempt-0003").token().value()).isEqualTo(2);
        });
    }

    @Test
    void tokensRiseWhenTheClockIsSetBackRepeatedly() {
        onEachStore(store -> {
            long token = 0;
            for (int i = 0; i < 10; i++) {
                Grant grant = granted(store, "attempt-100" + i);
                assertThat(grant.token().value()).isEqualTo(++token);
                clock.advance(Duration.ofMinutes(-10));
                acquire(store, "attempt-200" + i);
                clock.advance(TTL);
            }
        });
    }

    @Test
    void expiredGrantStaysExpiredWhenTheClockIsSetBack() {
        onEachStore(store -> {
            Grant grant = granted(store, "attempt-0001");
            clock.advance(TTL.plusSeconds(1));
            Grant next = granted(store, "attempt-0002");
            clock.advance(Duration.ofHours(-1));
            assertThat(renew(store, grant)).isInstanceOf(Renewal.NotRenewed.class);
            assertThat(acquire(store, "attempt-0001")).isNotInstanceOf(Acquisition.Granted.class);
            assertThat(renew(store, next)).isInstanceOf(Renewal.Renewed.class);
        });
    }

    /**
     * The renewals of the holder do not change the record, so the contender decides by a record
     * that it read before its pause.
     */
    @Test
    void contenderThatPausedDuringTheSetBackDoesNotTakeALiveLease() {
        MemoryRegister register = new MemoryRegister(clock);
        LeaseStore holderStore = CasLeaseStore.over(register, new ManualTimers(), new ManualIds());
        Grant grant = granted(holderStore, "attempt-0001");
        clock.advance(Duration.ofHours(-1));
        LeaseStore contenderStore = CasLeaseStore.over(
                new PausingRegister(register, () -> {
                    clock.advance(TTL.minusSeconds(1));
                    assertThat(renew(holderStore, grant)).isInstanceOf(Renewal.Renewed.class);
                }),
                new ManualTimers(),
                new ManualIds("other"));
        assertThat(acquire(contenderStore, "attempt-0002")).isInstanceOf(Acquisition.Busy.class);
        clock.advance(TTL.dividedBy(2));
        assertThat(acquire(contenderStore, "attempt-0002")).isInstanceOf(Acquisition.Busy.class);
        assertThat(renew(holderStore, grant)).isInstanceOf(Renewal.Renewed.class);
    }

    /** Pauses between its first read and the write that follows. */
    private record PausingRegister(CasRegister behind, Runnable pause, AtomicBoolean paused) implements CasRegister {
        PausingRegister(CasRegister behind, Runnable pause) {
            this(behind, pause, new AtomicBoolean());
        }

        @Override
        public Reading read(String key) {
            return behind.read(key);
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            if (paused.compareAndSet(false, true)) {
                pause.run();
            }
            return behind.compareAndSet(key, expected, value);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return behind.keys(prefix, after, limit);
        }
    }

    private void onEachStore(Consumer<LeaseStore> test) {
        clock.set(Instant.parse("2025-06-01T12:00:00Z"));
        test.accept(new MemoryLeaseStore(StoreId.of("store-0001"), clock));
        clock.set(Instant.parse("2025-06-01T12:00:00Z"));
        test.accept(CasLeaseStore.over(new MemoryRegister(clock), new ManualTimers(), new ManualIds()));
    }

    private static Acquisition acquire(LeaseStore store, String attempt) {
        return store.acquire(NAME, AttemptId.of(attempt), Holder.of("test"), TTL);
    }

    private static Grant granted(LeaseStore store, String attempt) {
        Acquisition answer = acquire(store, attempt);
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    private static Renewal renew(LeaseStore store, Grant grant) {
        return store.renew(List.of(new RenewRequest(grant, TTL))).get(0);
    }
}
