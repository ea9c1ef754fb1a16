package dev.leasehold.crash;

import static dev.leasehold.crash.DurabilityOrderTest.call;
import static dev.leasehold.crash.DurabilityOrderTest.inOrder;
import static dev.leasehold.crash.DurabilityOrderTest.sync;
import static dev.leasehold.crash.DurabilityOrderTest.traced;
import static dev.leasehold.crash.DurabilityOrderTest.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After a failed sync the kernel marks the page as clean: the text can still be read and the next
 * sync succeeds, but the disk has nothing. Data that was not synced is therefore written again
 * before it is synced and used.
 */
@Requires("strace")
class FailedSyncTest {
    private static final String ONE = " lh1,1,attempt-0001,store-0001,page one";
    private static final String TWO = " lh1,2,attempt-0002,store-0001,page two";

    @TempDir
    Path root;

    private ActorProcess actor;
    private Path log;

    @BeforeEach
    void start() throws Exception {
        log = root.resolve("trace");
        actor = ActorProcess.start();
        actor.ask("open " + root.resolve("store"));
        actor.ask("acquire job attempt-0001 300000");
    }

    @AfterEach
    void end() {
        actor.close();
    }

    @Test
    void fenceIsWrittenAgainBeforeItsPendingWriteIsCompleted() throws Exception {
        Path page = root.resolve("page");
        actor.ask("once " + page + ONE);
        assertThat(withFailedSync("once " + page + TWO)).startsWith("failed TargetUnavailable");
        assertThat(actor.ask("read " + page)).isEqualTo("one");
        inOrder(
                traced(actor, "raise " + page + TWO.replace(" two", ""), log),
                write("raised=2"),
                sync("leasehold-fence"),
                call("rename", "leasehold-staged"),
                write("Admitted"));
        assertThat(actor.ask("read " + page)).isEqualTo("two");
    }

    @Test
    void stateIsWrittenAgainBeforeTheEarlierCopyIsOverwritten() throws Exception {
        assertThat(withFailedSync("renew lh1,1,attempt-0001,,job 301000")).contains("Unknown");
        inOrder(
                traced(actor, "renew lh1,1,attempt-0001,,job 302000", log),
                write("slot 1 "),
                sync("/n-job/state"),
                write("slot 2 "),
                sync("/n-job/state"),
                write("Renewed"));
    }

    @Test
    void recordIsWrittenAgainBeforeItIsReturned() throws Exception {
        actor.ask("register set key one");
        assertThat(withFailedSync("register set key two")).startsWith("failed StoreUnavailable");
        inOrder(traced(actor, "register read key", log), write("slot 1 "), sync("/register/n-key"), write("value two"));
        assertThat(traced(actor, "register read key", log))
                .as("written again only once")
                .noneMatch(sync("/register/n-key"));
    }

    private String withFailedSync(String command) throws Exception {
        try (Strace trace = Strace.inject(actor.ask("thread"), log, "fdatasync:error=EIO:when=1")) {
            return actor.ask(command);
        }
    }
}
