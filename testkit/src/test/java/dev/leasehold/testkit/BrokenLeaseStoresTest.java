package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Shows that the contract can fail: each mistake below is one that real stores have made. */
class BrokenLeaseStoresTest {
    @Test
    void storeWithoutMistakesPasses() {
        ContractRun run = ContractRun.of(NothingWrong.class);
        assertThat(run.failed()).isEmpty();
        assertThat(run.started()).isGreaterThan(60);
    }

    @Test
    void takeoverThatKeepsTheTokenIsFound() {
        assertThat(ContractRun.of(TakeoverKeepsToken.class).failed())
                .contains("takeoverSupersedesALiveHolder", "concurrentTakeoversGetDifferentTokens")
                .contains("tokensRiseAndOwnersNeverOverlapUnderRandomCalls")
                .doesNotContain("tokenSurvivesRelease");
    }

    @Test
    void releaseThatDeletesTheRecordIsFound() {
        assertThat(ContractRun.of(ReleaseDeletes.class).failed())
                .contains(
                        "tokenSurvivesRelease",
                        "secondReleaseChangesNothingAndIsReported",
                        "grantsAndTokensSurviveAReconnect")
                .doesNotContain("tokenSurvivesExpiry");
    }

    @Test
    void releaseByNameAloneIsFound() {
        assertThat(ContractRun.of(ReleaseByNameAlone.class).failed())
                .contains("zombieCannotReleaseTheLeaseOfItsSuccessor", "lateCopyOfAReleaseDoesNotFreeTheSuccessor");
    }

    @Test
    void renewalThatIgnoresExpiryIsFound() {
        assertThat(ContractRun.of(RenewIgnoresExpiry.class).failed())
                .contains("zombieWithoutASuccessorCannotRenew", "batchRenewalAnswersEachRequestSeparately");
    }

    @Test
    void comparisonByHolderIsFound() {
        assertThat(ContractRun.of(HolderIsCompared.class).failed()).contains("sameHolderRestartingGetsANewToken");
    }

    @Test
    void attemptIdThatIsNotKeptIsFound() {
        assertThat(ContractRun.of(AttemptIsIgnored.class).failed())
                .contains("lostReplyDoesNotLockOutItsSender", "attemptReplayedWhileCurrentGetsItsOwnGrantAgain")
                .contains("abandonedAttemptFreesTheName", "attemptReplayedAfterExpiryIsSpent");
    }

    @Test
    void retriedInterventionThatRaisesTwiceIsFound() {
        assertThat(ContractRun.of(RetriesRaiseTwice.class).failed())
                .contains(
                        "retriedTakeoverDoesNotRaiseTwice",
                        "retriedRepairDoesNotRaiseTwice",
                        "duplicatedMessagesTakeEffectOnce");
    }

    @Test
    void takeoverThatIgnoresTheExpectedTokenIsFound() {
        assertThat(ContractRun.of(ExpectedTokenIsIgnored.class).failed())
                .contains(
                        "takeoverOfAnOldTokenDoesNotAffectTheSuccessor", "attemptOfATakeoverIsNeverGrantedASecondToken")
                .contains("oneOfManyTakesOverATokenThatAllHaveSeen", "expectedTokensAreComparedExactly")
                .doesNotContain("takeoverSupersedesALiveHolder", "takeoverOfTheExpectedTokenSucceeds");
    }

    @Test
    void takeoverThatChecksBeforeItActsIsFound() {
        assertThat(ContractRun.of(ChecksThenTakes.class).failed())
                .contains("oneOfManyTakesOverATokenThatAllHaveSeen")
                .doesNotContain("takeoverOfAnOldTokenDoesNotAffectTheSuccessor");
    }

    @Test
    void minHoldThatIsForgottenIsFound() {
        assertThat(ContractRun.of(MinHoldIsForgotten.class).failed())
                .contains("minHoldKeepsTheNameTakenAfterAnEarlyRelease");
    }

    @Test
    void foldedCaseIsFound() {
        assertThat(ContractRun.of(CaseIsFolded.class).failed()).contains("namesThatDifferOnlyInCaseAreDifferent");
    }

    @Test
    void deadlinesThatComeEarlyAreFound() {
        assertThat(ContractRun.of(HalfTheTtl.class).failed())
                .contains("nameIsNotGrantedToAnotherWhileItsHolderTrustsIt");
    }

    @Test
    void checkFollowedByAWriteIsFound() {
        assertThat(ContractRun.of(CheckThenWrite.class).failed())
                .contains("oneOfManyRacersWinsANewName", "oneOfManyRacersWinsAReleasedName");
    }

    abstract static class OfMemory extends LeaseStoreContract {
        private final ManualClock clock = new ManualClock();
        private final LeaseStore broken;

        OfMemory(Function<LeaseStore, LeaseStore> mistake) {
            this.broken = mistake.apply(new MemoryLeaseStore(StoreId.of("memory-store"), clock));
        }

        @Override
        protected LeaseStore openStore() {
            return broken;
        }

        @Override
        protected void passTime(Duration duration) {
            clock.advance(duration);
        }
    }

    static class NothingWrong extends OfMemory {
        NothingWrong() {
            super(correct -> correct);
        }
    }

    static class TakeoverKeepsToken extends OfMemory {
        TakeoverKeepsToken() {
            super(correct -> new ForwardingLeaseStore(correct) {
                // Synchronized, so that concurrent takeovers cannot all find the name free.
                @Override
                public synchronized Acquisition intervene(Intervention move) {
                    Optional<LeaseSnapshot> held = correct.inspect(move.name()).filter(s -> !s.isFree());
                    if (move.kind() != TransferReason.TAKEOVER || held.isEmpty()) {
                        return correct.intervene(move);
                    }
                    Grant same = new Grant(move.name(), held.get().lease().token(), move.attempt(), id());
                    return new Acquisition.Granted(
                            same, move.ttl(), held.get().lease().owner());
                }
            });
        }
    }

    static class ReleaseDeletes extends OfMemory {
        ReleaseDeletes() {
            super(Deleting::new);
        }

        /** Every release deletes the record, so that the name is new again. */
        private static final class Deleting extends ForwardingLeaseStore {
            private final Map<LeaseName, LeaseStore> stores = new ConcurrentHashMap<>();

            Deleting(LeaseStore correct) {
                super(correct);
            }

            private LeaseStore storeOf(LeaseName name) {
                return stores.computeIfAbsent(name, n -> new MemoryLeaseStore(id(), InstantSource.system()));
            }

            @Override
            public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
                return stores.getOrDefault(name, delegate).acquire(name, attempt, holder, ttl);
            }

            @Override
            public Release release(Grant grant, Duration minHold) {
                Release release = stores.getOrDefault(grant.name(), delegate).release(grant, minHold);
                if (release instanceof Release.Released && minHold.isZero()) {
                    stores.remove(grant.name());
                    storeOf(grant.name());
                }
                return release;
            }
        }
    }

    static class ReleaseByNameAlone extends OfMemory {
        ReleaseByNameAlone() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public Release release(Grant grant, Duration minHold) {
                    return correct.inspect(grant.name())
                            .map(s -> correct.release(
                                    Grant.bare(grant.name(), s.lease().token()), minHold))
                            .orElseGet(() -> correct.release(grant, minHold));
                }
            });
        }
    }

    static class RenewIgnoresExpiry extends OfMemory {
        RenewIgnoresExpiry() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public List<Renewal> renew(List<RenewRequest> requests) {
                    List<Renewal> results = new ArrayList<>(correct.renew(requests));
                    results.replaceAll(
                            result -> result instanceof Renewal.NotRenewed not && not.loss() instanceof Loss.Lapsed
                                    ? new Renewal.Renewed(Duration.ofMinutes(10))
                                    : result);
                    return results;
                }
            });
        }
    }

    static class HolderIsCompared extends OfMemory {
        HolderIsCompared() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
                    Optional<LeaseSnapshot> mine = correct.inspect(name)
                            .filter(s ->
                                    !s.isFree() && s.lease().owner().holder().equals(holder));
                    return correct.acquire(
                            name, mine.map(s -> s.lease().owner().attempt()).orElse(attempt), holder, ttl);
                }
            });
        }
    }

    static class AttemptIsIgnored extends OfMemory {
        AttemptIsIgnored() {
            super(correct -> new ForwardingLeaseStore(correct) {
                private final ManualIds ids = new ManualIds("fresh");

                @Override
                public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
                    return correct.acquire(name, AttemptId.of(ids.unique()), holder, ttl);
                }
            });
        }
    }

    static class RetriesRaiseTwice extends OfMemory {
        RetriesRaiseTwice() {
            super(correct -> new ForwardingLeaseStore(correct) {
                private final ManualIds ids = new ManualIds("fresh");

                @Override
                public Acquisition intervene(Intervention move) {
                    AttemptId fresh = AttemptId.of(ids.unique());
                    return correct.intervene(new Intervention(
                            move.kind(),
                            move.name(),
                            fresh,
                            move.holder(),
                            move.ttl(),
                            move.above(),
                            move.reason(),
                            move.seen()));
                }
            });
        }
    }

    private static Intervention withoutExpectedToken(Intervention move) {
        return new Intervention(
                move.kind(), move.name(), move.attempt(), move.holder(), move.ttl(), move.above(), move.reason(), null);
    }

    static class ExpectedTokenIsIgnored extends OfMemory {
        ExpectedTokenIsIgnored() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public Acquisition intervene(Intervention move) {
                    return correct.intervene(withoutExpectedToken(move));
                }
            });
        }
    }

    static class ChecksThenTakes extends OfMemory {
        ChecksThenTakes() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public Acquisition intervene(Intervention move) {
                    Optional<LeaseSnapshot> found = correct.inspect(move.name());
                    boolean own = found.filter(s -> s.lease().owner().attempt().equals(move.attempt()))
                            .isPresent();
                    boolean still = found.filter(s -> s.lease().token().equals(move.seen()))
                            .isPresent();
                    if (move.seen() != null && !still && !own) {
                        return new Acquisition.Moved(
                                found.map(s -> s.lease().owner()).orElse(null));
                    }
                    LockSupport.parkNanos(500_000);
                    return correct.intervene(withoutExpectedToken(move));
                }
            });
        }
    }

    static class MinHoldIsForgotten extends OfMemory {
        MinHoldIsForgotten() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public Release release(Grant grant, Duration minHold) {
                    return correct.release(grant, Duration.ZERO);
                }
            });
        }
    }

    static class CaseIsFolded extends OfMemory {
        CaseIsFolded() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
                    return correct.acquire(LeaseName.of(name.value().toLowerCase(Locale.ROOT)), attempt, holder, ttl);
                }
            });
        }
    }

    static class HalfTheTtl extends OfMemory {
        HalfTheTtl() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
                    return correct.acquire(name, attempt, holder, ttl.dividedBy(2));
                }
            });
        }
    }

    /** The rules are correct; the register below them checks first and writes afterwards. */
    static class CheckThenWrite extends LeaseStoreContract {
        private final ManualClock clock = new ManualClock();
        private final BrokenRegistersTest.CheckThenWriteRegister register =
                new BrokenRegistersTest.CheckThenWriteRegister(clock);

        @Override
        protected LeaseStore openStore() {
            return CasLeaseStore.over(register);
        }

        @Override
        protected void passTime(Duration duration) {
            clock.advance(duration);
        }
    }
}
