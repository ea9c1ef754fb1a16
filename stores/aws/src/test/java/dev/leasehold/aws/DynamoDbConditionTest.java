package dev.leasehold.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.WrongFenceException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Items of the caller, written with the client of AWS under the condition of a grant. */
@ExtendWith(SharedDynamoDb.class)
class DynamoDbConditionTest {
    private static final LeaseName NAME = LeaseName.of("nightly/report");
    private static final StoreId STORE = StoreId.of("store-of-the-test");

    private static OwnDynamoDbItems items;

    private final String id = "order-" + UUID.randomUUID();

    @BeforeAll
    static void createTable() {
        items = OwnDynamoDbItems.create(SharedDynamoDb.port());
    }

    @AfterAll
    static void close() {
        items.close();
    }

    private static Grant grant(long token) {
        return grant(token, "attempt-of-" + token);
    }

    private static Grant grant(long token, String attempt) {
        return new Grant(NAME, FencingToken.of(token), AttemptId.of(attempt), STORE);
    }

    private static void assertAdmitted(Admission answer) {
        assertThat(answer).isInstanceOf(Admission.Admitted.class);
    }

    private static void assertStale(Admission answer, long raised) {
        assertThat(answer).isInstanceOf(Admission.Stale.class);
        assertThat(((Admission.Stale) answer).raised().value()).isEqualTo(raised);
    }

    private Admission write(OwnDynamoDbItems.Form form, Grant grant, String content) {
        return items.write(form, id, DynamoDbCondition.of(grant), content);
    }

    private Admission raise(OwnDynamoDbItems.Form form, Grant grant) {
        return items.raise(form, id, DynamoDbCondition.of(grant));
    }

    private void assertContent(String content) {
        assertThat(items.read(id)).contains(content);
    }

    @ParameterizedTest
    @EnumSource
    void zombieWritesNothingAfterItsSuccessorRaised(OwnDynamoDbItems.Form form) {
        assertAdmitted(write(form, grant(1), "of one"));
        assertAdmitted(raise(form, grant(2)));
        assertContent("of one");
        assertStale(write(form, grant(1), "too late"), 2);
        assertStale(raise(form, grant(1)), 2);
        assertContent("of one");
        assertAdmitted(write(form, grant(2), "of two"));
        assertStale(write(form, grant(1), "much too late"), 2);
        assertContent("of two");
    }

    /** The zombie's request is made and signed, and arrives after the successor's. */
    @ParameterizedTest
    @EnumSource
    void writeInFlightIsJudgedWhenItArrives(OwnDynamoDbItems.Form form) throws Exception {
        assertAdmitted(write(form, grant(1), "of one"));
        CountDownLatch onTheWay = new CountDownLatch(1);
        CountDownLatch arrive = new CountDownLatch(1);
        CompletableFuture<Admission> late = CompletableFuture.supplyAsync(() -> {
            try (OwnDynamoDbItems slow = OwnDynamoDbItems.delayed(SharedDynamoDb.port(), onTheWay, arrive)) {
                return slow.write(form, id, DynamoDbCondition.of(grant(1)), "too late");
            }
        });
        onTheWay.await();
        assertAdmitted(raise(form, grant(2)));
        arrive.countDown();
        assertStale(late.get(), 2);
        assertContent("of one");
    }

    @ParameterizedTest
    @EnumSource
    void oneGrantWritesManyTimes(OwnDynamoDbItems.Form form) {
        assertAdmitted(write(form, grant(1), "first"));
        assertAdmitted(write(form, grant(1), "second"));
        assertContent("second");
    }

    @ParameterizedTest
    @EnumSource
    void equalTokenOfAnotherAttemptMeansTheStoreWentBack(OwnDynamoDbItems.Form form) {
        assertAdmitted(write(form, grant(7), "before the failover"));
        assertThat(write(form, grant(7, "attempt-after-failover"), "twin")).isInstanceOf(Admission.StoreWentBack.class);
        assertContent("before the failover");
        assertAdmitted(write(form, grant(8), "after the repair"));
    }

    @ParameterizedTest
    @EnumSource
    void otherLeasesAndStoresAreRefusedByName(OwnDynamoDbItems.Form form) {
        assertAdmitted(write(form, grant(1), "guarded"));
        Grant otherName =
                new Grant(LeaseName.of("other/lease"), FencingToken.of(9), AttemptId.of("attempt-of-9"), STORE);
        Grant otherStore =
                new Grant(NAME, FencingToken.of(9), AttemptId.of("attempt-of-9"), StoreId.of("another-store"));
        for (Grant other : new Grant[] {otherName, otherStore}) {
            assertThatThrownBy(() -> write(form, other, "other"))
                    .isInstanceOf(WrongFenceException.class)
                    .hasMessageContaining(NAME.value());
        }
        assertContent("guarded");
    }

    @Test
    void tokensAreComparedAsNumbers() {
        assertAdmitted(write(OwnDynamoDbItems.Form.UPDATE, grant(9), "nine"));
        assertAdmitted(write(OwnDynamoDbItems.Form.UPDATE, grant(10), "ten"));
        assertStale(write(OwnDynamoDbItems.Form.UPDATE, grant(9), "nine again"), 10);
        assertAdmitted(write(OwnDynamoDbItems.Form.UPDATE, grant(Long.MAX_VALUE), "last"));
        assertStale(write(OwnDynamoDbItems.Form.UPDATE, grant(Long.MAX_VALUE - 1), "nearly"), Long.MAX_VALUE);
        assertContent("last");
    }

    /** The condition that fails may be the caller's own. */
    @Test
    void failureOfAnotherConditionIsNoRefusal() {
        DynamoDbCondition condition = DynamoDbCondition.of(grant(1));
        assertThat(items.writeIfNew(id, condition, "first")).isEmpty();
        assertThat(items.writeIfNew(id, condition, "second")).containsInstanceOf(Admission.Admitted.class);
        assertAdmitted(raise(OwnDynamoDbItems.Form.UPDATE, grant(2)));
        assertThat(items.writeIfNew(id, condition, "third")).containsInstanceOf(Admission.Stale.class);
        assertContent("first");
    }

    @Test
    void itemIsBoundToAnotherStoreByAHigherTokenOnly() {
        Grant ofTheNew = new Grant(NAME, FencingToken.of(8), AttemptId.of("attempt-of-8"), StoreId.of("the-new-store"));
        assertThatThrownBy(() -> items.raise(OwnDynamoDbItems.Form.UPDATE, id, DynamoDbCondition.rebind(ofTheNew)))
                .isInstanceOf(TargetUnavailableException.class);
        assertAdmitted(write(OwnDynamoDbItems.Form.UPDATE, grant(7), "seven"));
        Grant low = new Grant(NAME, FencingToken.of(7), AttemptId.of("attempt-of-7b"), StoreId.of("the-new-store"));
        assertStale(items.raise(OwnDynamoDbItems.Form.UPDATE, id, DynamoDbCondition.rebind(low)), 7);
        for (int twice = 0; twice < 2; twice++) {
            assertAdmitted(items.raise(OwnDynamoDbItems.Form.UPDATE, id, DynamoDbCondition.rebind(ofTheNew)));
        }
        assertThatThrownBy(() -> write(OwnDynamoDbItems.Form.UPDATE, grant(9), "of the lost store"))
                .isInstanceOf(WrongFenceException.class);
        assertAdmitted(write(OwnDynamoDbItems.Form.UPDATE, ofTheNew, "eight"));
        assertContent("eight");
    }

    @Test
    void bareGrantIsNotEnough() {
        assertThatThrownBy(() -> DynamoDbCondition.of(Grant.bare(NAME, FencingToken.of(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("whole grant");
    }

    @Test
    void damagedFenceAdmitsNothing() {
        assertThatThrownBy(() -> DynamoDbCondition.of(grant(1))
                        .judge(name -> Map.of("leaseholdToken", "many").get(name)))
                .isInstanceOf(TargetUnavailableException.class);
    }
}
