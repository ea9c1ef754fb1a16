package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.BestEffortGate;
import dev.leasehold.fence.BestEffortGate.Passage;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.testkit.StoreOperation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The gate for targets that cannot check tokens reports how long its window was, and does not
 * change the lease.
 */
class BestEffortGateTest {
    private final EngineFixture engine = new EngineFixture();
    private final BestEffortGate gate = new BestEffortGate(engine.network, engine.manual.ticker());
    private final AtomicInteger mails = new AtomicInteger();

    @Test
    void windowRunsFromBeforeTheCheckToAfterTheAction() throws Exception {
        Grant grant = granted();
        engine.network.delayReplyOfNext(Duration.ofSeconds(3), StoreOperation.RENEW);
        Passage<String> passage = gate.pass(grant, () -> {
            engine.manual.timers().skip(Duration.ofSeconds(4));
            return "sent";
        });
        assertThat(passage).isEqualTo(new Passage.BestEffort<>("sent", Duration.ofSeconds(7)));
    }

    @Test
    void staleGrantDoesNotPass() throws Exception {
        Grant grant = granted();
        engine.rival.takesOver();
        assertThat(gate.pass(grant, mails::incrementAndGet))
                .isInstanceOfSatisfying(Passage.Refused.class, refused -> assertThat(refused.loss())
                        .isInstanceOf(Loss.Superseded.class));
        assertThat(mails).hasValue(0);
    }

    @Test
    void expiredGrantDoesNotPass() throws Exception {
        Grant grant = granted();
        engine.advanceSeconds(91);
        assertThat(gate.check(grant)).containsInstanceOf(Loss.Lapsed.class);
        assertThat(gate.pass(grant, mails::incrementAndGet)).isInstanceOf(Passage.Refused.class);
        assertThat(mails).hasValue(0);
    }

    @Test
    void unavailableStoreDoesNotLetTheActionPass() {
        Grant grant = granted();
        engine.network.failUntilHealed();
        assertThatThrownBy(() -> gate.pass(grant, mails::incrementAndGet))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(mails).hasValue(0);
    }

    @Test
    void checkDoesNotExtendTheLease() {
        Grant grant = granted();
        engine.advanceSeconds(89);
        assertThat(gate.check(grant)).isEmpty();
        engine.advanceSeconds(1);
        assertThat(engine.rival.acquires(Duration.ofSeconds(1))).isInstanceOf(Acquisition.Granted.class);
    }

    private Grant granted() {
        return ((Acquisition.Granted) engine.rival.acquires(Duration.ofSeconds(90))).grant();
    }
}
