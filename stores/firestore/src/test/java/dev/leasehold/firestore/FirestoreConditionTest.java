package dev.leasehold.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.WrongFenceException;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Commits of the caller that contain the condition of a fence. */
@Requires(InstalledProgram.FIRESTORE)
@ExtendWith(SharedFirestore.class)
class FirestoreConditionTest {
    private static final LeaseName NAME = LeaseName.of("nightly/report");
    private static final StoreId STORE = StoreId.of("store-of-the-test");

    private final String target = "report-" + UUID.randomUUID();
    private final FirestoreClient client = FirestoreClient.connect(SharedFirestore.url("conditions"));
    private final FirestoreFence fence = FirestoreFence.at(client, target);
    private final OwnFirestoreDocuments documents = new OwnFirestoreDocuments(SharedFirestore.port(), target);

    @AfterEach
    void close() {
        client.close();
    }

    private static Grant grant(long token) {
        return grant(token, "attempt-of-" + token);
    }

    private static Grant grant(long token, String attempt) {
        return new Grant(NAME, FencingToken.of(token), AttemptId.of(attempt), STORE);
    }

    private FirestoreFence.Condition admitted(long token) {
        FirestoreFence.Condition condition = fence.condition(grant(token));
        assertThat(condition.admission()).isInstanceOf(Admission.Admitted.class);
        return condition;
    }

    @Test
    void zombieCommitsNothingAfterItsSuccessorRaised() throws Exception {
        FirestoreFence.Condition ofTheZombie = admitted(1);
        assertThat(documents.commit(ofTheZombie, "of one")).isTrue();
        fence.raise(grant(2));
        assertThat(documents.commit(ofTheZombie, "too late")).isFalse();
        assertThat(documents.read()).isEqualTo("of one");
        assertThat(fence.condition(grant(1)).admission()).isInstanceOf(Admission.Stale.class);
        assertThat(documents.commit(admitted(2), "of two")).isTrue();
        assertThat(documents.commit(ofTheZombie, "much too late")).isFalse();
        assertThat(documents.read()).isEqualTo("of two");
    }

    /** The zombie's commit is judged before, and arrives after the first condition of the successor. */
    @Test
    void commitInFlightFailsWhenItArrives() throws Exception {
        OwnFirestoreDocuments.Commit inFlight = documents.prepare(admitted(1), "too late");
        FirestoreFence.Condition ofTheSuccessor = admitted(2);
        assertThat(inFlight.arrives()).isFalse();
        assertThat(documents.commit(ofTheSuccessor, "of two")).isTrue();
        assertThat(documents.read()).isEqualTo("of two");
    }

    /** Its commits do not change the fence, and still none of them gets past the raise. */
    @Test
    void zombieThatCommitsAllTheTimeIsStoppedByTheRaise() throws Exception {
        FirestoreFence.Condition ofTheZombie = admitted(1);
        CountDownLatch committing = new CountDownLatch(3);
        CompletableFuture<Void> zombie = CompletableFuture.runAsync(() -> {
            for (int i = 0; committed(ofTheZombie, "of the zombie " + i); i++) {
                committing.countDown();
            }
        });
        assertThat(committing.await(60, TimeUnit.SECONDS)).isTrue();
        admitted(2);
        String content = documents.read();
        zombie.join();
        assertThat(documents.read()).isEqualTo(content).startsWith("of the zombie");
    }

    private boolean committed(FirestoreFence.Condition condition, String content) {
        try {
            return documents.commit(condition, content);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void oneConditionServesForManyCommits() throws Exception {
        FirestoreFence.Condition condition = admitted(1);
        for (String content : new String[] {"first", "second", "third"}) {
            assertThat(documents.commit(condition, content)).as(content).isTrue();
            assertThat(documents.read()).isEqualTo(content);
        }
    }

    @Test
    void writeThroughTheFenceAsksForTheConditionAgain() throws Exception {
        FirestoreFence.Condition condition = admitted(1);
        fence.admit(grant(1), "a text beside the documents");
        assertThat(documents.commit(condition, "of one")).isFalse();
        assertThat(documents.commit(admitted(1), "of one")).isTrue();
        assertThat(fence.read()).contains("a text beside the documents");
    }

    /** A caller that forgets to look at the answer must not write either. */
    @Test
    void conditionOfARefusedGrantNeverHolds() throws Exception {
        assertThat(documents.commit(admitted(7), "before the failover")).isTrue();
        FirestoreFence.Condition twin = fence.condition(grant(7, "attempt-after-failover"));
        assertThat(twin.admission()).isInstanceOf(Admission.StoreWentBack.class);
        assertThat(documents.commit(twin, "twin")).isFalse();
        FirestoreFence.Condition stale = fence.condition(grant(6));
        assertThat(stale.admission()).isInstanceOf(Admission.Stale.class);
        assertThat(documents.commit(stale, "stale")).isFalse();
        assertThat(documents.read()).isEqualTo("before the failover");
    }

    @Test
    void otherLeasesAndStoresAreRefusedByName() {
        admitted(1);
        AttemptId attempt = AttemptId.of("attempt-of-9");
        for (Grant other : new Grant[] {
            new Grant(LeaseName.of("other/lease"), FencingToken.of(9), attempt, STORE),
            new Grant(NAME, FencingToken.of(9), attempt, StoreId.of("another-store"))
        }) {
            assertThatThrownBy(() -> fence.condition(other))
                    .isInstanceOf(WrongFenceException.class)
                    .hasMessageContaining(NAME.value());
        }
    }
}
