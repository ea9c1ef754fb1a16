package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.ALICE;
import static dev.leasehold.redis.Fixtures.LONG;
import static dev.leasehold.redis.Fixtures.REASON;
import static dev.leasehold.redis.Fixtures.acquire;
import static dev.leasehold.redis.Fixtures.command;
import static dev.leasehold.redis.Fixtures.freshAttempt;
import static dev.leasehold.redis.Fixtures.freshName;
import static dev.leasehold.redis.Fixtures.renew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Protocol;

/** A server that is killed and returns with all of its data, a part of it, or none. */
class RedisRestartTest {
    private static final String[] DURABLE = {"--appendonly", "yes", "--appendfsync", "always"};

    @TempDir
    Path directory;

    @Test
    void restartOfADurableServerCostsNoLease() throws Exception {
        try (RedisProcess server = RedisProcess.start(DURABLE);
                LeaseStore store = RedisLeaseStore.create(server.url())) {
            LeaseName name = freshName();
            Grant held = acquire(store, name);
            server.kill();
            server.startAgain();

            assertThat(renew(store, held)).isInstanceOf(Renewal.Renewed.class);
            assertThat(store.acquire(name, freshAttempt(), ALICE, LONG)).isInstanceOf(Acquisition.Busy.class);
            assertThat(store.release(held, Duration.ZERO)).isInstanceOf(Release.Released.class);
            assertThat(acquire(store, name).token()).isEqualTo(held.token().next());
        }
    }

    @Test
    void releaseAfterARestartTakesEffect() throws Exception {
        try (RedisProcess server = RedisProcess.start(DURABLE);
                LeaseStore store = RedisLeaseStore.create(server.url())) {
            Grant held = acquire(store, freshName());
            server.kill();
            server.startAgain();

            assertThat(store.release(held, Duration.ZERO)).isInstanceOf(Release.Released.class);
        }
    }

    @Test
    void flushedScriptsAreLoadedAgain() {
        try (RedisProcess server = RedisProcess.start();
                LeaseStore store = RedisLeaseStore.create(server.url())) {
            LeaseName name = freshName();
            for (int round = 1; round <= 2; round++) {
                Grant grant = acquire(store, name);
                assertThat(grant.token().value()).isEqualTo(2L * round - 1);
                command(server.url(), Protocol.Command.SCRIPT, "FLUSH");
                assertThat(renew(store, grant)).isInstanceOf(Renewal.Renewed.class);
                command(server.url(), Protocol.Command.SCRIPT, "FLUSH");
                assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
                command(server.url(), Protocol.Command.SCRIPT, "FLUSH");
                store.intervene(Intervention.cancel(name, freshAttempt(), ALICE, REASON));
                assertThat(store.inspect(name)).isPresent();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /**
     * The target is elsewhere, as usual. Everything fails closed until an operator raises the
     * counter.
     */
    @Test
    void serverThatLostEverythingIsDetectedByHolderAndTarget() throws Exception {
        FencedFile target = FencedFile.at(directory.resolve("report"));
        try (RedisProcess server = RedisProcess.start();
                LeaseStore store = RedisLeaseStore.create(server.url())) {
            LeaseName name = freshName();
            Grant before = acquireWithToken(store, name, 3);
            assertThat(target.admit(before, Content.of("before"))).isInstanceOf(Admission.Admitted.class);
            server.kill();
            server.startAgain();

            Renewal renewal = renew(store, before);
            assertThat(renewal).isInstanceOf(Renewal.NotRenewed.class);
            Loss loss = ((Renewal.NotRenewed) renewal).loss();
            assertThat(loss).isInstanceOf(Loss.Forgotten.class);
            assertThat(loss.explanation()).contains("leasehold repair");

            Grant first = acquire(store, name);
            assertThat(first.token().value()).isEqualTo(1);
            assertThat(first.store())
                    .as("the connected client restores the store id")
                    .isEqualTo(before.store());
            assertThat(target.admit(first, Content.of("lower"))).isInstanceOf(Admission.Stale.class);

            store.release(first, Duration.ZERO);
            Grant twin = acquireWithToken(store, name, 3);
            Admission refusal = target.admit(twin, Content.of("equal"));
            assertThat(refusal).isInstanceOf(Admission.StoreWentBack.class);
            assertThat(((Admission.Refused) refusal).explanation())
                    .contains("leasehold repair " + name, "--above " + before.token());
            assertThat(Files.readString(directory.resolve("report"))).isEqualTo("before");

            store.intervene(Intervention.repair(
                    name, freshAttempt(), ALICE, before.token().value(), REASON));
            Grant repaired = acquire(store, name);
            assertThat(target.admit(repaired, Content.of("after"))).isInstanceOf(Admission.Admitted.class);
        }
    }

    @Test
    void reinitializedServerIsNotMixedWithTheOldOne() throws Exception {
        try (RedisProcess server = RedisProcess.start();
                LeaseStore store = RedisLeaseStore.create(server.url())) {
            acquire(store, freshName());
            server.kill();
            server.startAgain();
            try (LeaseStore other = RedisLeaseStore.create(server.url())) {
                assertThat(other.id()).isNotEqualTo(store.id());
                LeaseName name = freshName();
                assertThatThrownBy(() -> acquire(store, name))
                        .isInstanceOf(StoreCorruptException.class)
                        .hasMessageContaining("lost its records");
                assertThat(other.inspect(name)).isEmpty();
            }
        }
    }

    private static Grant acquireWithToken(LeaseStore store, LeaseName name, long token) {
        for (int i = 0; i < token; i++) {
            Grant grant = acquire(store, name);
            if (grant.token().value() == token) {
                return grant;
            }
            store.release(grant, Duration.ZERO);
        }
        throw new AssertionError("token " + token + " was never reached: " + List.copyOf(store.history(name, 10)));
    }
}
