package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.WrongFenceException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fence whose store was lost is bound to another one, and never goes down. */
abstract class FenceRebindTests<W> {
    private static final StoreId LOST = FenceContract.STORE;
    private static final StoreId NEW = StoreId.of("store-after-the-loss");

    private final FenceContract<W> contract;
    private Fence<W> fence;

    FenceRebindTests(FenceContract<W> contract) {
        this.contract = contract;
    }

    @BeforeEach
    void guardATarget() {
        fence = contract.openFence();
    }

    private static Grant grant(long token, StoreId store) {
        return new Grant(FenceContract.NAME, FencingToken.of(token), AttemptId.of("attempt-" + token + store), store);
    }

    @Test
    void aHigherTokenOfAnotherStoreBindsTheFence() {
        fence.admit(grant(7, LOST), contract.write("seven"));
        assertThatThrownBy(() -> fence.raise(grant(8, NEW))).isInstanceOf(WrongFenceException.class);

        assertThat(fence.rebind(grant(8, NEW))).isInstanceOf(Admission.Admitted.class);
        assertThat(fence.rebind(grant(8, NEW))).isInstanceOf(Admission.Admitted.class);

        assertThat(contract.read()).contains("seven");
        assertThatThrownBy(() -> fence.raise(grant(9, LOST))).isInstanceOf(WrongFenceException.class);
        assertThat(fence.raise(Grant.bare(FenceContract.NAME, FencingToken.of(7))))
                .isInstanceOf(Admission.Stale.class);
        assertThat(fence.admit(grant(9, NEW), contract.write("nine"))).isInstanceOf(Admission.Admitted.class);
        assertThat(contract.read()).contains("nine");
    }

    @Test
    void aTokenThatIsNotAboveChangesNothing() {
        fence.admit(grant(7, LOST), contract.write("seven"));
        assertThat(fence.rebind(grant(7, NEW))).isInstanceOf(Admission.Stale.class);
        assertThat(fence.rebind(grant(6, NEW))).isInstanceOf(Admission.Stale.class);
        assertThat(fence.raise(grant(8, LOST))).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void aFenceOfTheSameStoreIsOnlyRaised() {
        fence.raise(grant(7, LOST));
        assertThat(fence.rebind(grant(6, LOST))).isInstanceOf(Admission.Stale.class);
        assertThat(fence.rebind(grant(8, LOST))).isInstanceOf(Admission.Admitted.class);
        assertThat(fence.raise(grant(9, LOST))).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void anotherLeaseAndABareGrantBindNothing() {
        fence.raise(grant(7, LOST));
        Grant other = new Grant(LeaseName.of("other"), FencingToken.of(8), AttemptId.of("attempt-of-other"), NEW);
        assertThatThrownBy(() -> fence.rebind(other))
                .isInstanceOfAny(WrongFenceException.class, TargetUnavailableException.class);
        assertThatThrownBy(() -> fence.rebind(Grant.bare(FenceContract.NAME, FencingToken.of(8))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(fence.raise(grant(8, LOST))).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void aTargetWithoutAFenceGetsNone() {
        assertThatThrownBy(() -> fence.rebind(grant(8, NEW))).isInstanceOf(TargetUnavailableException.class);
        assertThat(fence.raise(grant(1, LOST))).isInstanceOf(Admission.Admitted.class);
    }
}
