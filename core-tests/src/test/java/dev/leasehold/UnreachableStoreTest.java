package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.StoreUnreachableException;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import dev.leasehold.testkit.ManualContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** Asking for a lease while no connection to the store can be had, each try for a while. */
class UnreachableStoreTest {
    private static final Duration QUICK = Duration.ofMillis(5);
    private static final Duration SLOW = Duration.ofSeconds(30);

    private final ManualContext manual = new ManualContext();
    private final MemoryLeaseStore memory = new MemoryLeaseStore(StoreId.of("store-0001"), manual.clock());
    private final Store store = new Store();
    private final Leases leases =
            Leases.over(store).context(manual.context()).holder(Holder.of("us")).build();

    /** A store whose connections take a while to fail, and whose replies may be lost. */
    private final class Store extends ForwardingLeaseStore {
        private final Deque<Duration> waits = new ArrayDeque<>();
        private boolean losesNextReply;
        private int asked;
        private int abandoned;

        Store() {
            super(memory);
        }

        private void connect() {
            Duration wait = waits.poll();
            if (wait != null) {
                manual.freeze(wait);
                throw new StoreUnreachableException("no connection within " + wait);
            }
        }

        @Override
        public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
            asked++;
            boolean lost = losesNextReply;
            losesNextReply = false;
            if (!lost) {
                connect();
            }
            Acquisition answer = super.acquire(name, attempt, holder, ttl);
            if (lost) {
                throw new StoreUnavailableException("the reply is lost");
            }
            return answer;
        }

        @Override
        public void abandon(LeaseName name, AttemptId attempt) {
            abandoned++;
            connect();
            super.abandon(name, attempt);
        }

        void isAwayFor(int tries, Duration wait) {
            for (int i = 0; i < tries; i++) {
                waits.add(wait);
            }
        }
    }

    private Duration elapsed() {
        return manual.timers().elapsed();
    }

    /** Nothing was sent, so there is no grant to look for. */
    @Test
    void storeThatIsSlowToFailIsAskedOnce() {
        store.isAwayFor(10, SLOW);
        assertThatThrownBy(() -> leases.tryAcquire("job")).isInstanceOf(StoreUnreachableException.class);
        assertThat(store.asked).isEqualTo(1);
        assertThat(store.abandoned).isZero();
        assertThat(elapsed()).isEqualTo(SLOW);
    }

    @Test
    void storeThatFailsAtOnceIsAskedAgainAndNothingIsAbandoned() {
        store.isAwayFor(2, QUICK);
        assertThat(leases.tryAcquire("job").lease()).isPresent();
        store.isAwayFor(10, QUICK);
        assertThatThrownBy(() -> leases.tryAcquire("other")).isInstanceOf(StoreUnreachableException.class);
        assertThat(store.asked).isEqualTo(3 + 3);
        assertThat(store.abandoned).isZero();
    }

    @Test
    void grantWhoseReplyWasLostIsAskedForAgain() {
        store.losesNextReply = true;
        assertThat(leases.tryAcquire("job")
                        .lease()
                        .orElseThrow()
                        .grant()
                        .token()
                        .value())
                .isEqualTo(1);
    }

    /** A connection for it would take as long again. The grant is renewed by nobody, so the ttl ends it. */
    @Test
    void grantWhoseReplyWasLostEndsWithItsTtlIfTheStoreIsSlowToFailAfterwards() {
        store.losesNextReply = true;
        store.isAwayFor(10, SLOW);
        assertThatThrownBy(() -> leases.tryAcquire("job")).isInstanceOf(StoreUnreachableException.class);
        assertThat(elapsed()).isBetween(SLOW, SLOW.plusSeconds(1));
        store.waits.clear();
        assertThat(leases.tryAcquire("job").lease()).isEmpty();
        manual.advance(Duration.ofSeconds(90));
        assertThat(leases.tryAcquire("job").lease()).isPresent();
    }

    @Test
    void grantWhoseReplyWasLostIsAbandonedIfTheStoreFailsAtOnceAfterwards() {
        store.losesNextReply = true;
        store.isAwayFor(2, QUICK);
        assertThatThrownBy(() -> leases.tryAcquire("job")).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.abandoned).isEqualTo(1);
        assertThat(leases.tryAcquire("job").lease()).isPresent();
    }

    /** One try may take longer than the whole wait. */
    @Test
    void waiterDoesNotStartAnotherSlowTryAfterItsDeadline() {
        store.isAwayFor(10, SLOW);
        assertThatThrownBy(() -> leases.acquireWithin(LeaseName.of("job"), leases.terms(), Duration.ofSeconds(10)))
                .isInstanceOf(StoreUnreachableException.class);
        assertThat(elapsed()).isEqualTo(SLOW);
    }

    @Test
    void waiterAsksUntilItsDeadline() throws Exception {
        store.isAwayFor(2, SLOW);
        assertThat(leases.acquireWithin(LeaseName.of("job"), leases.terms(), Duration.ofSeconds(70))
                        .lease())
                .isPresent();
    }
}
