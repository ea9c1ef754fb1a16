package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.BestEffortGate;
import dev.leasehold.internal.Step;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a busy machine a step takes long. Those that find its lock wait for it: no process is stopped. */
class SlowStepTest {
    private static final Duration TTL = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private static final LeaseName NAME = LeaseName.of("slow");

    @Test
    void aReaderWaitsForASlowStepOfItsOwnProcess() throws Exception {
        duringASlowStep(1500, store -> {}, (store, grant) -> assertThat(store.inspect(NAME))
                .isPresent());
    }

    /** A check renews by zero, so it has no ttl from which to derive its patience. */
    @Test
    void aCheckWaitsForASlowStep() throws Exception {
        duringASlowStep(
                1500, store -> {}, (store, grant) -> assertThat(gate(store).check(grant))
                        .isEmpty());
    }

    @Test
    void aRenewalAfterACheckWaitsAsBefore() throws Exception {
        duringASlowStep(
                500,
                store -> gate(store).check(new Grant(NAME, FencingToken.of(1), null, null)),
                (store, grant) -> assertThat(store.renew(List.of(new RenewRequest(grant, TTL))))
                        .first()
                        .isInstanceOf(Renewal.Renewed.class));
    }

    private static BestEffortGate gate(LeaseStore store) {
        return new BestEffortGate(store, new SystemTicker());
    }

    private void duringASlowStep(long millis, Consumer<LeaseStore> before, BiConsumer<LeaseStore, Grant> during)
            throws Exception {
        try (FileLeaseStore slow = FileLeaseStore.create(directory.resolve("store"));
                FileLeaseStore store = FileLeaseStore.open(directory.resolve("store"))) {
            Acquisition answer = slow.acquire(NAME, AttemptId.of("attempt-of-slow"), Holder.of("h"), TTL);
            before.accept(store);
            CountDownLatch inside = new CountDownLatch(1);
            CompletableFuture<String> step =
                    CompletableFuture.supplyAsync(() -> slow.step(NAME, (record, floor, clock) -> {
                        inside.countDown();
                        pause(millis);
                        return Step.keep("nothing changed");
                    }));
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            during.accept(store, ((Acquisition.Granted) answer).grant());
            assertThat(step.get(30, TimeUnit.SECONDS)).isEqualTo("nothing changed");
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
