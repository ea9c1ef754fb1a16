package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.crash.Actor;
import dev.leasehold.crash.ActorProcess;
import dev.leasehold.crash.Strace;
import dev.leasehold.fence.FrozenWriterTest;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process loses its lock, as a paused client of a network file system does: the call that takes
 * the lock succeeds but takes nothing. The process stops in the middle of its step, others go on,
 * and it resumes.
 */
@Requires("strace")
class LostLockTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String NO_LOCK = "fcntl:retval=0";

    @TempDir
    Path root;

    private FileLeaseStore store;

    @BeforeEach
    void freeName() {
        store = FileLeaseStore.create(root.resolve("store"));
        store.release(acquire(), Duration.ZERO);
    }

    @Test
    void clientThatSleptThroughTheWholeHistoryIssuesNoTokenTwice() throws Exception {
        Set<FencingToken> issued = new HashSet<>();
        try (ActorProcess paused = actor()) {
            // The client has read that token 1 is the highest and that the name is free.
            try (Strace trace = Strace.inject(
                    paused.ask("thread"), root.resolve("trace"), NO_LOCK, "getdents64:signal=STOP:when=2")) {
                paused.send("acquire job attempt-0009 300000");
                FrozenWriterTest.awaitFrozen(paused.pid());
            }
            for (int i = 0; i < LeaseStore.HISTORY_KEPT + 6; i++) {
                Grant grant = acquire();
                assertThat(issued.add(grant.token())).isTrue();
                store.release(grant, Duration.ZERO);
            }
            paused.thaw();
            String answer = paused.hear();
            assertThat(answer).startsWith("granted ");
            assertThat(issued)
                    .as("tokens granted before the token of the client")
                    .doesNotContain(Actor.grant(answer.substring(8)).token());
        }
        assertThat(store.history(NAME, 100).stream().map(Transfer::token).map(FencingToken::value))
                .as("the history has no old token")
                .hasSize(LeaseStore.HISTORY_KEPT)
                .allMatch(token -> token > 5);
    }

    @Test
    void clientThatSleptWhileTheNameWasForgottenIssuesNoTokenTwice() throws Exception {
        Set<FencingToken> issued = new HashSet<>();
        try (ActorProcess paused = actor()) {
            try (Strace trace = Strace.inject(
                    paused.ask("thread"), root.resolve("trace"), NO_LOCK, "getdents64:signal=STOP:when=2")) {
                paused.send("acquire job attempt-0009 300000");
                FrozenWriterTest.awaitFrozen(paused.pid());
            }
            for (int i = 0; i < 6; i++) {
                Grant grant = acquire();
                assertThat(issued.add(grant.token())).isTrue();
                store.release(grant, Duration.ZERO);
                if (i % 3 != 2) {
                    store.forget(List.of(new ForgetRequest(NAME, grant.token())));
                }
            }
            paused.thaw();
            String answer = paused.hear();
            assertThat(answer).startsWith("granted ");
            assertThat(issued).doesNotContain(Actor.grant(answer.substring(8)).token());
        }
    }

    /** The late write of the holder must not destroy newer data of its successor. */
    @Test
    void holderThatSleptInsideItsRenewalLeavesTheRecordOfItsSuccessorWhole() throws Exception {
        for (int renewals = 0; renewals < 4; renewals++) {
            try (ActorProcess paused = actor()) {
                String held = paused.ask("acquire job attempt-1%03d 300000".formatted(renewals))
                        .substring(8);
                assertThat(paused.ask("renew " + held + " 300000")).contains("Renewed");
                try (Strace trace = Strace.inject(
                        paused.ask("thread"), root.resolve("trace"), NO_LOCK, "getdents64:signal=STOP:when=2")) {
                    paused.send("renew " + held + " 300000");
                    FrozenWriterTest.awaitFrozen(paused.pid());
                }
                Grant next = ((Acquisition.Granted) store.intervene(Intervention.takeover(
                                NAME,
                                AttemptId.of(new SystemIds().unique()),
                                Holder.of("next"),
                                LONG,
                                Note.of("test"))))
                        .grant();
                for (int i = 1; i <= renewals; i++) {
                    assertThat(renew(next, LONG.multipliedBy(i))).isInstanceOf(Renewal.Renewed.class);
                }
                Instant deadline = deadline();
                paused.thaw();
                assertThat(paused.hear()).contains("NotRenewed").contains("Superseded");
                assertThat(deadline())
                        .as("the deadline that its successor trusts, renewed %s times", renewals)
                        .isEqualTo(deadline);
                assertThat(renew(next, LONG.multipliedBy(9)))
                        .as("its successor after %s renewals", renewals)
                        .isInstanceOf(Renewal.Renewed.class);
                store.release(next, Duration.ZERO);
            }
        }
    }

    /**
     * The client read an old deadline and compares it with the new time, so the lease seems
     * expired.
     */
    @Test
    void clientThatReadAnOldDeadlineDoesNotTakeALeaseThatWasRenewedSince() throws Exception {
        Duration brief = Duration.ofSeconds(3);
        try (ActorProcess paused = actor()) {
            String thread = paused.ask("thread");
            Grant held = ((Acquisition.Granted)
                            store.acquire(NAME, AttemptId.of("attempt-2000"), Holder.of("holder"), brief))
                    .grant();
            Renewal renewed;
            try (Strace trace =
                    Strace.inject(thread, root.resolve("trace"), NO_LOCK, "getdents64:signal=STOP:when=2")) {
                // The renewal writes a deadline into the state; until then only the grant has one.
                renewed = renew(held, brief);
                paused.send("acquire job attempt-2001 300000");
                FrozenWriterTest.awaitFrozen(paused.pid());
            }
            Instant read = deadline();
            assertThat(renewed).isInstanceOf(Renewal.Renewed.class);
            assertThat(renew(held, LONG)).isInstanceOf(Renewal.Renewed.class);
            for (int i = 0; i < 1000 && !store.inspect(NAME).orElseThrow().at().isAfter(read); i++) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            paused.thaw();
            assertThat(paused.hear()).startsWith("Busy");
            assertThat(renew(held, LONG)).isInstanceOf(Renewal.Renewed.class);
        }
    }

    private Grant acquire() {
        return ((Acquisition.Granted)
                        store.acquire(NAME, AttemptId.of(new SystemIds().unique()), Holder.of("churn"), LONG))
                .grant();
    }

    private Renewal renew(Grant grant, Duration ttl) {
        return store.renew(List.of(new RenewRequest(grant, ttl))).get(0);
    }

    private Instant deadline() {
        return store.inspect(NAME).orElseThrow().lease().deadline();
    }

    /** Warmed up, so that its steps load no classes. */
    private ActorProcess actor() throws Exception {
        ActorProcess actor = ActorProcess.start();
        actor.ask("open " + root.resolve("store"));
        String grant = actor.ask("acquire warm attempt-0001 300000").replace("granted ", "");
        if (grant.startsWith("lh1")) {
            actor.ask("renew " + grant + " 300000");
            actor.ask("release " + grant);
        }
        return actor;
    }
}
