package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.Step;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a busy machine a step takes long. A reader in the same process waits for it: no process is stopped. */
class SlowStepTest {
    @TempDir
    Path directory;

    @Test
    void aReaderWaitsForASlowStepOfItsOwnProcess() throws Exception {
        LeaseName name = LeaseName.of("slow");
        try (FileLeaseStore slow = FileLeaseStore.create(directory.resolve("store"));
                FileLeaseStore store = FileLeaseStore.open(directory.resolve("store"))) {
            slow.acquire(name, AttemptId.of("attempt-of-slow"), Holder.of("h"), Duration.ofMinutes(1));
            CountDownLatch inside = new CountDownLatch(1);
            CompletableFuture<String> step =
                    CompletableFuture.supplyAsync(() -> slow.step(name, (record, floor, clock) -> {
                        inside.countDown();
                        pause();
                        return Step.keep("nothing changed");
                    }));
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(store.inspect(name)).isPresent();
            assertThat(step.get(30, TimeUnit.SECONDS)).isEqualTo("nothing changed");
        }
    }

    private static void pause() {
        try {
            Thread.sleep(1500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
