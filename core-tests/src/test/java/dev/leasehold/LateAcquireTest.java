package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A request for a lease that reaches the store after its sender gave up. */
class LateAcquireTest {
    private final ManualContext manual = new ManualContext();
    private final MemoryLeaseStore memory = new MemoryLeaseStore(StoreId.of("store-0001"), manual.clock());
    private final List<Runnable> underWay = new ArrayList<>();
    private final List<String> arrived = new ArrayList<>();
    private boolean slow = true;
    private final Leases leases = Leases.over(behindASlowNetwork())
            .context(manual.context())
            .terms(EngineFixture.TERMS)
            .build();

    @Test
    void nameIsFreeAfterOneTtlAndNoHolderTrustsIt() {
        giveUp();
        assertThat(arrived).as("the abandon arrives first").contains("abandon");
        deliver();
        assertThat(rivalAcquires()).isInstanceOf(Acquisition.Busy.class);
        assertThat(leases.tryAcquire(EngineFixture.JOB, EngineFixture.TERMS))
                .as("the sender waits like any other client")
                .isInstanceOf(AcquireResult.Busy.class);
        manual.advance(EngineFixture.TERMS.ttl());
        assertThat(arrived).as("no renewals").doesNotContain("renew");
        assertThat(rivalAcquires()).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void nameIsFreeImmediatelyIfTheAbandonArrivesLast() {
        giveUp();
        deliver();
        memory.abandon(EngineFixture.JOB, attempt);
        assertThat(rivalAcquires()).isInstanceOf(Acquisition.Granted.class);
        deliver();
        assertThat(rivalAcquires())
                .as("the rival keeps the lease after even later copies")
                .isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void retryingSenderGetsItsOwnGrantOnce() {
        giveUp();
        deliver();
        manual.advance(EngineFixture.TERMS.ttl());
        AcquireResult again = leases.tryAcquire(EngineFixture.JOB, EngineFixture.TERMS);
        assertThat(again).isInstanceOf(AcquireResult.Acquired.class);
        long token = ((AcquireResult.Acquired) again).held().grant().token().value();
        deliver();
        manual.advance(EngineFixture.TERMS.ttl());
        assertThat(memory.inspect(EngineFixture.JOB)
                        .orElseThrow()
                        .lease()
                        .token()
                        .value())
                .as("old copies neither take the lease nor raise its token")
                .isEqualTo(token);
        assertThat(((AcquireResult.Acquired) again).held().isTrusted()).isTrue();
    }

    private AttemptId attempt = AttemptId.of("not-drawn-yet");

    private void giveUp() {
        assertThatThrownBy(() -> leases.tryAcquire(EngineFixture.JOB, EngineFixture.TERMS))
                .isInstanceOf(StoreUnavailableException.class);
        slow = false;
    }

    /** Delivers every request, also those that have arrived before. */
    private void deliver() {
        assertThat(underWay).isNotEmpty();
        underWay.forEach(Runnable::run);
    }

    private Acquisition rivalAcquires() {
        return memory.acquire(
                EngineFixture.JOB, AttemptId.of("rival-attempt"), Holder.of("rival"), Duration.ofMinutes(5));
    }

    private LeaseStore behindASlowNetwork() {
        return (LeaseStore) Proxy.newProxyInstance(
                LateAcquireTest.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("acquire") && slow) {
                        attempt = (AttemptId) args[1];
                        underWay.add(() -> memory.acquire(
                                EngineFixture.JOB, (AttemptId) args[1], (Holder) args[2], (Duration) args[3]));
                        throw new StoreUnavailableException("no answer");
                    }
                    arrived.add(method.getName());
                    try {
                        return method.invoke(memory, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
