package dev.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Watch;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The connection is cut before and after every message of a step: an answer is true, a missing
 * answer means unknown, no connection leaks, and the next step works.
 */
@ExtendWith(SharedRedis.class)
class RedisCutTest {
    private static final Holder HOLDER = Holder.of("holder");
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int MOST_MESSAGES = 60;

    private CuttingProxy proxy;
    private LeaseStore store;

    @BeforeEach
    void connect() throws Exception {
        proxy = new CuttingProxy(URI.create(SharedRedis.url()).getPort());
        store = new RedisStoreProvider().create("redis://127.0.0.1:" + proxy.port() + "/0?timeout=20s");
    }

    @AfterEach
    void close() throws Exception {
        store.close();
        proxy.close();
    }

    /**
     * Makes the call, which may be cut, and checks its answer, or the stored state if there was no
     * answer.
     */
    private interface Step {
        void callAndCheck(Cutting cutting);
    }

    /** Runs a call while the connection may be cut; null if it was not answered. */
    private interface Cutting {
        <T> T during(Supplier<T> call);
    }

    private void atEveryMessage(Step step) {
        for (boolean after : new boolean[] {false, true}) {
            boolean[] cut = {true};
            for (int message = 1; cut[0]; message++) {
                assertThat(message).isLessThan(MOST_MESSAGES);
                int at = message;
                step.callAndCheck(new Cutting() {
                    @Override
                    public <T> T during(Supplier<T> call) {
                        proxy.cutAt(at, after);
                        try {
                            return call.get();
                        } catch (StoreUnavailableException e) {
                            return null;
                        } finally {
                            cut[0] = proxy.heal();
                        }
                    }
                });
            }
        }
        assertThat(proxy.connections()).as("connections of one thread").isLessThanOrEqualTo(1);
    }

    @Test
    void acquireIsGrantedOrUnknownAndCanBeRepeated() {
        atEveryMessage(cutting -> {
            LeaseName name = name();
            AttemptId attempt = attempt();
            Acquisition answer = cutting.during(() -> store.acquire(name, attempt, HOLDER, LONG));
            Acquisition known = answer == null ? store.acquire(name, attempt, HOLDER, LONG) : answer;
            assertThat(known).isInstanceOf(Acquisition.Granted.class);
            assertThat(((Acquisition.Granted) known).grant().token().value()).isEqualTo(1);
            assertThat(store.inspect(name).orElseThrow().lease().owner().attempt())
                    .isEqualTo(attempt);
        });
    }

    @Test
    void renewalIsRenewedOrUnknown() {
        Grant grant = granted(name());
        atEveryMessage(cutting -> {
            List<Renewal> answer = cutting.during(() -> store.renew(List.of(new RenewRequest(grant, LONG))));
            if (answer != null) {
                assertThat(answer).hasSize(1).allMatch(Renewal.Renewed.class::isInstance);
            }
            assertThat(store.inspect(grant.name()).orElseThrow().isFree()).isFalse();
        });
    }

    @Test
    void releaseIsReleasedOrUnknown() {
        atEveryMessage(cutting -> {
            Grant grant = granted(name());
            Release answer = cutting.during(() -> store.release(grant, Duration.ZERO));
            if (answer == null) {
                store.release(grant, Duration.ZERO);
            }
            assertThat(store.inspect(grant.name()).orElseThrow().isFree()).isTrue();
        });
    }

    /**
     * If it were sent again after taking effect, it would answer that another client was faster.
     */
    @Test
    void compareAndSetThatSucceededIsNeverReportedAsLost() {
        CasRegister register = store.register();
        atEveryMessage(cutting -> {
            String key = name().value();
            // A read may be sent twice, so it detects the cut connection; the next command could
            // not.
            register.read(key);
            assertThat(register.compareAndSet(key, CasRegister.ABSENT, "before"))
                    .isTrue();
            String version = register.read(key).version();
            Boolean succeeded = cutting.during(() -> register.compareAndSet(key, version, "mine"));
            assertThat(succeeded).isNotEqualTo(false);
            if (succeeded != null) {
                assertThat(register.read(key).value()).contains("mine");
            }
            Boolean removed =
                    cutting.during(() -> register.remove(key, register.read(key).version()));
            assertThat(removed).isNotEqualTo(false);
        });
    }

    @Test
    void readsAreTrueOrUnknown() {
        Grant grant = granted(name());
        atEveryMessage(cutting -> {
            List<Object> seen = cutting.during(() -> List.of(
                    store.inspect(grant.name()).orElseThrow().lease().token(),
                    store.list(grant.name().value(), "", 10).size(),
                    store.history(grant.name(), 10).size(),
                    store.register().read("no such key").version()));
            if (seen != null) {
                assertThat(seen).isEqualTo(List.of(grant.token(), 1, 1, CasRegister.ABSENT));
            }
        });
    }

    /**
     * Whether it listens or polls, the waiter notices the release and leaves no connection behind.
     */
    @Test
    void waiterNoticesTheReleaseWhateverWasCutWhileItStartedToListen() {
        for (boolean after : new boolean[] {false, true}) {
            boolean cut = true;
            for (int message = 1; cut; message++) {
                assertThat(message).isLessThan(MOST_MESSAGES);
                Grant grant = granted(name());
                proxy.cutAt(message, after);
                try (Watch watch = store.watch(grant.name()).orElseThrow()) {
                    cut = proxy.heal();
                    store.release(grant, Duration.ZERO);
                    long began = System.nanoTime();
                    while (!store.inspect(grant.name()).orElseThrow().isFree()) {
                        watch.await(Duration.ofMillis(100));
                        assertThat(System.nanoTime() - began).isLessThan(60_000_000_000L);
                    }
                    watch.await(Duration.ofSeconds(1));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    private Grant granted(LeaseName name) {
        return ((Acquisition.Granted) store.acquire(name, attempt(), HOLDER, LONG)).grant();
    }

    private static LeaseName name() {
        return LeaseName.of("cut-" + UUID.randomUUID());
    }

    private static AttemptId attempt() {
        return AttemptId.of(UUID.randomUUID().toString());
    }
}
