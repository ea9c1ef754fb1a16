package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.TransferReason;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A process goes on with a grant that another process acquired and passed on. */
class AdoptTest {
    private final EngineFixture engine = new EngineFixture();
    private final Grant passedOn = engine.hold().detach();

    private Lease adopt(Grant grant) {
        return engine.leases.adopt(grant, EngineFixture.TERMS, AttemptId.of("adoption-1"));
    }

    @Test
    void anAdoptedGrantGetsANewTokenAndIsRenewedAndReleased() {
        engine.advanceSeconds(60);
        Lease lease = adopt(passedOn);
        assertThat(lease.grant().token()).isEqualTo(passedOn.token().next());
        assertThat(lease.transfer().reason()).isEqualTo(TransferReason.TAKEOVER);
        engine.advanceSeconds(300);
        assertThat(lease.isTrusted()).isTrue();

        lease.close();
        assertThat(engine.memory.inspect(EngineFixture.JOB).orElseThrow().isFree())
                .isTrue();
        assertThat(engine.memory.history(EngineFixture.JOB, 10)).hasSize(2);
    }

    @Test
    void trustCountsFromBeforeTheCall() {
        engine.network.delayReplyOfNext(Duration.ofSeconds(20), StoreOperation.INTERVENE);
        assertThat(adopt(passedOn).remaining()).isEqualTo(Duration.ofSeconds(81 - 20));
    }

    @Test
    void aGrantThatIsOverIsNotAdopted() {
        engine.advanceSeconds(91);
        assertThatThrownBy(() -> adopt(passedOn))
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.loss())
                        .isInstanceOf(Loss.Lapsed.class));
        Lease later = engine.hold();
        assertThatThrownBy(() -> adopt(passedOn))
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.loss())
                        .isInstanceOf(Loss.Superseded.class));
        assertThat(later.isTrusted()).isTrue();
    }

    @Test
    void aGrantThatTheStoreNeverIssuedIsNotAdopted() {
        Grant unknown = new Grant(LeaseName.of("unknown"), passedOn.token(), passedOn.attempt(), passedOn.store());
        assertThatThrownBy(() -> adopt(unknown))
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.loss())
                        .isInstanceOf(Loss.Forgotten.class));
    }

    @Test
    void aBareTokenProvesNothing() {
        assertThatThrownBy(() -> adopt(Grant.bare(passedOn.name(), passedOn.token())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("whole grant");
    }

    @Test
    void anUnknownOutcomeHoldsNothing() {
        engine.network.dropReplyOnce(StoreOperation.INTERVENE);
        assertThatThrownBy(() -> adopt(passedOn)).isInstanceOf(StoreUnavailableException.class);
        assertThat(adopt(passedOn).isTrusted()).as("a second try").isTrue();
    }
}
