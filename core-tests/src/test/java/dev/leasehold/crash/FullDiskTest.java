package dev.leasehold.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A small file system in the mount namespace of the child, which the test fills and makes
 * read-only.
 */
@Requires("unshare")
class FullDiskTest {
    private static final String OLD = "old";
    private static final String NEW = "new";

    @TempDir
    Path root;

    private ActorProcess actor;
    private Path disk;
    private Path filler;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectories(root.resolve("disk"));
        filler = disk.resolve("filler");
        actor = ActorProcess.start("unshare", "--user", "--map-root-user", "--mount");
        assertThat(actor.ask("exec mount -t tmpfs -o size=800k tmpfs " + disk)).isEqualTo("0 ");
    }

    @AfterEach
    void end() {
        actor.close();
    }

    @Test
    void fullDiskIsReportedAndTheStoreWorksAgainWithFreeSpace() throws Exception {
        Path page = disk.resolve("page");
        actor.ask("open " + disk.resolve("store"));
        assertThat(actor.ask("acquire job attempt-0001 60000")).startsWith("granted");
        assertThat(actor.ask("once " + page + grant(1) + OLD)).startsWith("Admitted");
        assertThat(actor.ask("fill " + filler)).startsWith("filled");

        assertThat(actor.ask("acquire other attempt-0002 60000"))
                .startsWith("failed StoreUnavailableException")
                .contains("is full; free some space");
        assertThat(actor.ask("renew lh1,1,attempt-0001,,job 90000"))
                .matches(".*Renewed.*|failed StoreUnavailableException .* is full; free some space .*");
        assertThat(actor.ask("once " + page + grant(2) + NEW))
                .startsWith("failed TargetUnavailableException")
                .contains("nothing was written")
                .contains("is full; free some space");
        assertThat(actor.ask("read " + page)).isEqualTo(OLD);
        assertThat(actor.ask("exec ls -A " + disk).trim().split("\\s+"))
                .containsExactlyInAnyOrder("0", ".page.leasehold-fence", "filler", "page", "store");

        assertThat(actor.ask("delete " + filler)).isEqualTo("true");
        assertThat(actor.ask("acquire other attempt-0002 60000")).startsWith("granted lh1,1,");
        assertThat(actor.ask("renew lh1,1,attempt-0001,,job 90000")).contains("Renewed");
        assertThat(actor.ask("once " + page + grant(2) + NEW)).startsWith("Admitted");
        assertThat(actor.ask("release lh1,1,attempt-0001,,job")).startsWith("Released");
        assertThat(actor.ask("read " + page)).isEqualTo(NEW);
    }

    /** Each round leaves one more page free, so that each write of the step fails once. */
    @Test
    void writeThatRunsOutOfSpaceAtAnyStepLeavesTheOldFileAndNoStagedOne() throws Exception {
        boolean failed = false;
        boolean succeeded = false;
        for (int pages = 0; pages < 8; pages++) {
            Path page = disk.resolve("page-" + pages);
            actor.ask("overwrite " + page + " " + OLD);
            leaveFree(pages);
            String answer = actor.ask("once " + page + grant(1) + NEW);
            boolean admitted = answer.startsWith("Admitted");
            assertThat(actor.ask("exec ls -A " + disk)).as(answer).doesNotContain("staged");
            assertThat(actor.ask("read " + page))
                    .as("%s free: %s", pages, answer)
                    .isEqualTo(admitted ? NEW : OLD);
            if (!admitted) {
                assertThat(answer)
                        .startsWith("failed TargetUnavailableException")
                        .contains("is full");
            }
            assertThat(actor.ask("delete " + filler)).isEqualTo("true");
            assertThat(actor.ask("once " + page + grant(1) + NEW)).startsWith(admitted ? "AlreadyWritten" : "Admitted");
            assertThat(actor.ask("read " + page)).isEqualTo(NEW);
            failed |= !admitted;
            succeeded |= admitted;
        }
        assertThat(failed && succeeded).as("both failure and success occurred").isTrue();
    }

    @Test
    void leaseThatRunsOutOfSpaceAtAnyStepIsGrantedWhenSpaceIsFree() throws Exception {
        actor.ask("open " + disk.resolve("store"));
        boolean failed = false;
        boolean succeeded = false;
        for (int pages = 0; pages < 8; pages++) {
            leaveFree(pages);
            String acquire = "acquire job-" + pages + " attempt-0001 60000";
            String renew = "renew lh1,1,attempt-0001,,job-" + pages + " 90000";
            String answer = actor.ask(acquire);
            String renewed = actor.ask(renew);
            assertThat(answer).matches("granted .*|failed StoreUnavailableException .* is full; free some space .*");
            assertThat(renewed)
                    .matches(".*Renewed\\[.*|.*has not issued.*|failed StoreUnavailableException .* is full; .*");
            assertThat(actor.ask("delete " + filler)).isEqualTo("true");
            assertThat(actor.ask(acquire)).as("%s free", pages).startsWith("granted lh1,1,");
            assertThat(actor.ask(renew)).contains("Renewed[");
            failed |= answer.startsWith("failed");
            succeeded |= answer.startsWith("granted") && renewed.contains("Renewed[");
        }
        assertThat(failed && succeeded).as("both failure and success occurred").isTrue();
    }

    @Test
    void readOnlyDiskIsReportedAndNothingChanges() throws Exception {
        Path page = disk.resolve("page");
        actor.ask("open " + disk.resolve("store"));
        actor.ask("acquire job attempt-0001 60000");
        actor.ask("once " + page + grant(1) + OLD);
        assertThat(actor.ask("exec mount -o remount,ro " + disk)).isEqualTo("0 ");
        for (String command : new String[] {
            "acquire other attempt-0002 60000",
            "release lh1,1,attempt-0001,,job",
            "open " + disk.resolve("new-store"),
            "once " + page + grant(2) + NEW,
            "raise " + page + " lh1,2,attempt-0002,store-0001,page"
        }) {
            assertThat(actor.ask(command)).as(command).startsWith("failed").contains("read-only file system");
        }
        assertThat(actor.ask("renew lh1,1,attempt-0001,,job 90000"))
                .contains("Unknown")
                .contains("read-only file system");
        assertThat(actor.ask("exec mount -o remount,rw " + disk)).isEqualTo("0 ");
        assertThat(actor.ask("read " + page)).isEqualTo(OLD);
        assertThat(actor.ask("release lh1,1,attempt-0001,,job")).startsWith("Released");
        assertThat(actor.ask("once " + page + grant(2) + NEW)).startsWith("Admitted");
    }

    private void leaveFree(int pages) throws Exception {
        assertThat(actor.ask("fill " + filler)).startsWith("filled");
        assertThat(actor.ask("exec truncate -s -" + pages * 4096 + " " + filler))
                .isEqualTo("0 ");
    }

    private static String grant(int token) {
        return " lh1," + token + ",attempt-000" + token + ",store-0001,page ";
    }
}
