package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.Release;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.BrokenLeaseStoresTest.OfMemory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The contract finds stores that forget names in the wrong way. */
class BrokenForgettingTest {
    @Test
    void floorThatIsNotRaisedIsFound() {
        assertThat(ContractRun.of(FloorIsNotRaised.class).failed())
                .contains("tokenOfAForgottenNameIsNeverIssuedAgain", "tokensOfForgottenNamesAreUniqueUnderARace")
                .contains("newNamesStartAboveTheHighestForgottenToken");
    }

    @Test
    void forgettingOfANameThatIsTakenIsFound() {
        assertThat(ContractRun.of(TakenNamesAreForgotten.class).failed())
                .contains("nameThatIsTakenIsNotForgotten", "nameThatWasGrantedSinceItWasSeenIsNotForgotten");
    }

    static class FloorIsNotRaised extends OfMemory {
        FloorIsNotRaised() {
            super(Restarting::new);
        }

        /** Each name has a store of its own, which is replaced by a new one when the name is forgotten. */
        private static final class Restarting extends ForwardingLeaseStore {
            private final Map<LeaseName, LeaseStore> stores = new ConcurrentHashMap<>();

            Restarting(LeaseStore correct) {
                super(correct);
            }

            private LeaseStore storeOf(LeaseName name) {
                return stores.computeIfAbsent(name, n -> new MemoryLeaseStore(id(), InstantSource.system()));
            }

            @Override
            public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
                return storeOf(name).acquire(name, attempt, holder, ttl);
            }

            @Override
            public Acquisition intervene(Intervention move) {
                return storeOf(move.name()).intervene(move);
            }

            @Override
            public Release release(Grant grant, Duration minHold) {
                return storeOf(grant.name()).release(grant, minHold);
            }

            @Override
            public Optional<LeaseSnapshot> inspect(LeaseName name) {
                return storeOf(name).inspect(name);
            }

            @Override
            public synchronized List<Forgetting> forget(List<ForgetRequest> requests) {
                List<Forgetting> answers = new ArrayList<>();
                for (ForgetRequest request : requests) {
                    Forgetting answer =
                            storeOf(request.name()).forget(List.of(request)).get(0);
                    if (answer == Forgetting.FORGOTTEN) {
                        stores.remove(request.name());
                    }
                    answers.add(answer);
                }
                return answers;
            }
        }
    }

    static class TakenNamesAreForgotten extends OfMemory {
        TakenNamesAreForgotten() {
            super(correct -> new ForwardingLeaseStore(correct) {
                @Override
                public List<Forgetting> forget(List<ForgetRequest> requests) {
                    List<ForgetRequest> freed = new ArrayList<>();
                    for (ForgetRequest request : requests) {
                        Acquisition ended = correct.intervene(Intervention.cancel(
                                request.name(),
                                AttemptId.of("forget-" + request.name()),
                                Holder.of("nobody"),
                                Note.of("forgotten")));
                        freed.add(new ForgetRequest(
                                request.name(),
                                ((Acquisition.Granted) ended).grant().token()));
                    }
                    return correct.forget(freed);
                }
            });
        }
    }
}
