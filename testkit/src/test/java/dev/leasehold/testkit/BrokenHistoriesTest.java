package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.history.LinearizabilityContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each store has one mistake, which its histories must reveal. */
class BrokenHistoriesTest {
    private static final String LONG = "callsOnALongLeaseHappenOneAfterAnother";
    private static final String SHORT = "callsOnAnExpiringLeaseHappenOneAfterAnother";

    @Test
    void storeWithoutMistakesPasses() {
        ContractRun run = ContractRun.of(NothingWrong.class);
        assertThat(run.failed()).isEmpty();
        assertThat(run.started()).isEqualTo(2);
    }

    @Test
    void tokenThatIsIssuedTwiceIsFound() {
        assertThat(ContractRun.of(TokenTwice.class).failed()).contains(LONG);
    }

    @Test
    void checkFollowedByAWriteIsFound() {
        assertThat(ContractRun.of(CheckThenWrite.class).failed()).contains(LONG);
    }

    @Test
    void renewalOfAStaleLeaseIsFound() {
        assertThat(ContractRun.of(RenewalAlwaysSucceeds.class).failed()).contains(SHORT);
    }

    @Test
    void nameThatIsGrantedTooEarlyIsFound() {
        assertThat(ContractRun.of(TenthOfTheTtl.class).failed()).contains(SHORT);
    }

    @Test
    void releaseThatDoesNotHappenIsFound() {
        assertThat(ContractRun.of(ReleaseForgotten.class).failed()).contains(LONG);
    }

    abstract static class OfMemory extends LinearizabilityContract {
        private final LeaseStore broken;

        OfMemory(Function<LeaseStore, LeaseStore> mistake) {
            this.broken = mistake.apply(new MemoryLeaseStore(StoreId.of("memory-store"), InstantSource.system()));
        }

        @Override
        protected LeaseStore openStore() {
            return broken;
        }
    }

    static class NothingWrong extends OfMemory {
        NothingWrong() {
            super(correct -> correct);
        }
    }

    static class TokenTwice extends OfMemory {
        TokenTwice() {
            super(correct -> new ForwardingLeaseStore(correct) {
                private final AtomicInteger asked = new AtomicInteger();

                @Override
                public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
                    Acquisition answer = correct.acquire(name, attempt, holder, ttl);
                    if (answer instanceof Acquisition.Busy busy && asked.incrementAndGet() % 50 == 0) {
                        Grant same = new Grant(name, busy.token(), attempt, id());
                        return new Acquisition.Granted(
                                same, ttl, correct.history(name, 1).get(0));
                    }
                    return answer;
                }
            });
        }
    }

    static class RenewalAlwaysSucceeds extends OfMemory {
        RenewalAlwaysSucceeds() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public List<Renewal> renew(List<RenewRequest> requests) {
                    List<Renewal> results = new ArrayList<>(correct.renew(requests));
                    results.replaceAll(
                            result -> result instanceof Renewal.NotRenewed lost && lost.loss() instanceof Loss.Lapsed
                                    ? new Renewal.Renewed(requests.get(0).ttl())
                                    : result);
                    return results;
                }
            });
        }
    }

    static class TenthOfTheTtl extends OfMemory {
        TenthOfTheTtl() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
                    return correct.acquire(name, attempt, holder, ttl.dividedBy(10));
                }
            });
        }
    }

    static class ReleaseForgotten extends OfMemory {
        ReleaseForgotten() {
            super(correct -> new ForwardingLeaseStore(correct) {
                private final AtomicInteger asked = new AtomicInteger();

                @Override
                public Release release(Grant grant, Duration minHold) {
                    return asked.incrementAndGet() % 50 == 0 ? new Release.Released() : correct.release(grant, minHold);
                }
            });
        }
    }

    /** The rules are correct; the register below them checks first and writes afterwards. */
    static class CheckThenWrite extends LinearizabilityContract {
        private final BrokenRegistersTest.CheckThenWriteRegister register =
                new BrokenRegistersTest.CheckThenWriteRegister(InstantSource.system());

        @Override
        protected LeaseStore openStore() {
            return CasLeaseStore.over(register);
        }
    }
}
