package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.ALICE;
import static dev.leasehold.redis.Fixtures.LONG;
import static dev.leasehold.redis.Fixtures.command;
import static dev.leasehold.redis.Fixtures.freshAttempt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Protocol.Command;

/** The steps of callers that come at the same moment share round trips, and nothing else. */
@ExtendWith(SharedRedis.class)
class RedisCombiningTest {
    private static final int CALLERS = 64;
    private static final String PAUSE_MILLIS = "300";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String namespace = "combined-" + UUID.randomUUID();
    private CuttingProxy proxy;
    private RedisLeaseStore store;

    @BeforeEach
    void start() throws Exception {
        proxy = new CuttingProxy(Integer.parseInt(SharedRedis.url().replaceAll(".*:", "")));
        store = RedisLeaseStore.create(url("?timeout=20s&ns=" + namespace));
        // Every script is known to the server before it is counted.
        Grant grant = ((Acquisition.Granted) acquire(LeaseName.of("first"))).grant();
        store.progress(grant, Note.of("note"), null);
        store.inspect(grant.name());
        store.release(grant, Duration.ZERO);
    }

    private String url(String options) {
        return "redis://127.0.0.1:" + proxy.port() + "/0" + options;
    }

    @AfterEach
    void end() throws Exception {
        threads.shutdownNow();
        store.close();
        proxy.close();
    }

    @Test
    void manyStepsAtOnceNeedFewMessagesAndEachCallerGetsItsOwnAnswer() throws Exception {
        int before = proxy.messages();
        List<Grant> first = atOnce(i -> granted(i, 1));
        List<ProgressReport> notes = atOnce(i -> store.progress(first.get(i), Note.of("note " + i), null));
        List<Optional<LeaseSnapshot>> read = atOnce(i -> store.inspect(name(i)));
        List<Release> released = atOnce(i -> store.release(first.get(i), Duration.ZERO));
        List<Grant> second = atOnce(i -> granted(i, 2));
        List<Acquisition> refused = atOnce(i -> acquire(name(i)));
        int messages = proxy.messages() - before;

        assertThat(notes).allMatch(ProgressReport.Noted.class::isInstance);
        assertThat(released).allMatch(Release.Released.class::isInstance);
        for (int i = 0; i < CALLERS; i++) {
            assertThat(read.get(i).orElseThrow().lease().progress().note()).isEqualTo(Note.of("note " + i));
            assertThat(((Acquisition.Busy) refused.get(i)).token())
                    .isEqualTo(second.get(i).token());
            assertThat(store.history(name(i), 10).stream().map(Transfer::attempt))
                    .containsExactly(second.get(i).attempt(), first.get(i).attempt());
        }
        assertThat(messages)
                .as("messages for %d steps, two each if each went alone", 7 * CALLERS)
                .isLessThan(7 * CALLERS);
    }

    @Test
    void aDamagedRecordHarmsOnlyItsOwnCaller() throws Exception {
        byte[] key = new RedisKeys(namespace).lease(name(0).value());
        command(SharedRedis.url(), Command.SET, new String(key, StandardCharsets.UTF_8), "damaged");
        List<Future<Acquisition>> asked = startAtOnce(i -> acquire(name(i)));
        assertThatThrownBy(() -> asked.get(0).get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(StoreCorruptException.class);
        for (int i = 1; i < CALLERS; i++) {
            assertThat(asked.get(i).get(60, TimeUnit.SECONDS)).isInstanceOf(Acquisition.Granted.class);
        }
    }

    @Test
    void manyCallersOfOneNameAreAnsweredInOneGrant() throws Exception {
        List<Acquisition> answers = atOnce(i -> acquire(name(0)));
        assertThat(answers).filteredOn(Acquisition.Granted.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Acquisition.Busy.class::isInstance).hasSize(CALLERS - 1);
    }

    @Test
    void aServerThatForgotItsScriptsGetsThemAgain() throws Exception {
        command(SharedRedis.url(), Command.SCRIPT, "FLUSH");
        atOnce(i -> granted(i, 1));
    }

    @Test
    void aLostAnswerIsUnknownForEachAndTheSameAttemptGetsTheSameGrant() throws Exception {
        try (RedisProcess server = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always");
                RedisLeaseStore durable = RedisLeaseStore.create(server.url() + "?timeout=20s")) {
            List<AttemptId> attempts = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                attempts.add(freshAttempt());
            }
            IntFunction<Acquisition> acquire = i -> durable.acquire(name(i), attempts.get(i), ALICE, LONG);
            assertThat(acquire.apply(0)).isInstanceOf(Acquisition.Granted.class);
            command(server.url(), Command.CLIENT, "PAUSE", "60000");
            List<Future<Acquisition>> lost = start(acquire);
            server.kill();
            for (Future<Acquisition> each : lost) {
                assertThatThrownBy(() -> each.get(60, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(StoreUnavailableException.class)
                        .message()
                        // The second, if the server was gone before this caller's call was sent.
                        .containsAnyOf("unknown whether the operation took effect", "nothing was sent");
            }
            server.startAgain();
            for (int i = 0; i < CALLERS; i++) {
                Grant grant = ((Acquisition.Granted) acquire.apply(i)).grant();
                assertThat(grant.token().value()).isEqualTo(1);
                assertThat(grant.attempt()).isEqualTo(attempts.get(i));
            }
        }
    }

    @Test
    void interruptsAreTheCallersOwn() throws Exception {
        command(SharedRedis.url(), Command.CLIENT, "PAUSE", PAUSE_MILLIS);
        List<Thread> callers = new ArrayList<>();
        List<LeaseName> granted = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < CALLERS; i++) {
            LeaseName name = name(i);
            Thread caller = new Thread(() -> {
                try {
                    if (acquire(name) instanceof Acquisition.Granted) {
                        granted.add(name);
                    }
                } catch (StoreUnavailableException e) {
                    // A caller that is interrupted may give up before anything is sent.
                }
            });
            callers.add(caller);
            caller.start();
        }
        List<LeaseName> undisturbed = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            if (i % 2 == 0) {
                callers.get(i).interrupt();
            } else {
                undisturbed.add(name(i));
            }
        }
        for (Thread caller : callers) {
            caller.join(60_000);
        }
        assertThat(granted).containsAll(undisturbed);
    }

    @Test
    void callersThatWaitWhileTheStoreIsClosedGetAnAnswerOrAnError() throws Exception {
        List<Future<Acquisition>> asked = startAtOnce(i -> acquire(name(i)));
        store.close();
        for (Future<Acquisition> each : asked) {
            try {
                assertThat(each.get(60, TimeUnit.SECONDS)).isInstanceOf(Acquisition.Granted.class);
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOfAny(StoreUnavailableException.class, IllegalStateException.class);
            }
        }
    }

    private static LeaseName name(int i) {
        return LeaseName.of("name-" + i);
    }

    private Acquisition acquire(LeaseName name) {
        return store.acquire(name, freshAttempt(), ALICE, LONG);
    }

    private Grant granted(int i, long token) {
        Acquisition answer = acquire(name(i));
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        Grant grant = ((Acquisition.Granted) answer).grant();
        assertThat(grant.name()).isEqualTo(name(i));
        assertThat(grant.token().value()).isEqualTo(token);
        return grant;
    }

    private <T> List<T> atOnce(IntFunction<T> step) throws Exception {
        List<T> answers = new ArrayList<>();
        for (Future<T> each : startAtOnce(step)) {
            answers.add(each.get(60, TimeUnit.SECONDS));
        }
        return answers;
    }

    /** The server answers nobody until all have asked. */
    private <T> List<Future<T>> startAtOnce(IntFunction<T> step) throws Exception {
        command(SharedRedis.url(), Command.CLIENT, "PAUSE", PAUSE_MILLIS);
        return start(step);
    }

    private <T> List<Future<T>> start(IntFunction<T> step) {
        List<Future<T>> all = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            all.add(threads.submit(() -> step.apply(caller)));
        }
        return all;
    }
}
