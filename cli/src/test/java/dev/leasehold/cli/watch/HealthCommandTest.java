package dev.leasehold.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.FileLeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leasehold health}. */
class HealthCommandTest {
    @TempDir
    Path folder;

    private CliRunner cli;

    @BeforeEach
    void createAStore() {
        cli = CliRunner.withStore(folder.resolve("store")).env("PATH", System.getenv("PATH"));
    }

    @Test
    void aStoreInWhichAllIsWellIsHealthyAndSkipsAreWell() {
        assertThat(cli.run("health").code()).isZero();
        cli.run("acquire", "job", "--ttl", "10m");
        cli.process("run", "job", "--", "true");
        Result health = cli.run("health");
        assertThat(health.code()).as(health.out()).isZero();
        assertThat(health.err()).contains("all is well");
        assertThat(cli.run("explain", "job").out()).contains("skipped_overlap");
    }

    @Test
    void aSlotThatNobodyRunsIsOverdue() throws Exception {
        Result first = cli.withDrivers().process("run", "tick", "--schedule", "* * * * * *", "--", "true");
        assertThat(first.code()).as(first.err()).isZero();
        Thread.sleep(3500);

        Result health = cli.run("health", "--overdue-after", "1s");
        assertThat(health.code()).isEqualTo(ExitCode.FAILED);
        assertThat(health.out()).startsWith("overdue tick: slot 2").contains("has not begun");
        assertThat(cli.run("health", "--overdue-after", "1s", "--json").out())
                .startsWith("{\"alert\":\"overdue\",\"id\":\"overdue/tick/");
        assertThat(cli.run("health", "--overdue-after", "1h").code()).isZero();
        assertThat(cli.run("health", "--job", "other", "--overdue-after", "1s").err())
                .contains("this store knows no job and no lease other");
        cli.run("acquire", "other");
        assertThat(cli.run("health", "--job", "other", "--overdue-after", "1s").code())
                .isZero();
        cli.run("pause", "tick", "--reason", "a holiday");
        assertThat(cli.run("health", "--overdue-after", "1s").code()).isZero();
    }

    @Test
    void aHolderThatRenewsWithoutProgressIsStuck() throws Exception {
        Duration ttl = Duration.ofSeconds(2);
        try (FileLeaseStore store = FileLeaseStore.create(folder.resolve("store"))) {
            Grant grant = ((Acquisition.Granted)
                            store.acquire(LeaseName.of("job"), AttemptId.of("attempt-0001"), Holder.of("alice"), ttl))
                    .grant();
            store.progress(grant, Note.of("page 1"), null);
            for (int i = 0; i < 5; i++) {
                Thread.sleep(500);
                store.renew(List.of(new RenewRequest(grant, Duration.ofSeconds(2))));
            }
            Result health = cli.run("health");
            assertThat(health.code()).isEqualTo(ExitCode.FAILED);
            assertThat(health.out())
                    .startsWith("stuck job token 1, alice: renews its lease, but its last progress was");
            store.progress(grant, Note.of("page 2"), null);
            assertThat(cli.run("health").code()).isZero();
        }
    }

    @Test
    void aRefusedTokenIsReportedForAnHour() {
        Path page = folder.resolve("page");
        String old = cli.run("acquire", "job", "--ttl", "10m").outLine();
        cli.run("takeover", "job", "--reason", "it hangs", "--guard", page.toString());
        assertThat(cli.stdin("late")
                        .run("write", page.toString(), "--name", "job", "--token", old)
                        .code())
                .isEqualTo(ExitCode.STALE);

        Result health = cli.run("health");
        assertThat(health.code()).isEqualTo(ExitCode.FAILED);
        assertThat(health.out()).startsWith("refused job token 1, ").contains(page.toString());
        assertThat(cli.run("health", "--refused-within", "1ms").code()).isZero();
    }

    @Test
    void aDamagedRecordDoesNotHideWhatIsWrongElsewhere() {
        Path page = folder.resolve("page");
        String old = cli.run("acquire", "job", "--ttl", "10m").outLine();
        cli.run("takeover", "job", "--reason", "it hangs", "--guard", page.toString());
        cli.stdin("late").run("write", page.toString(), "--name", "job", "--token", old);
        try (FileLeaseStore store = FileLeaseStore.create(folder.resolve("store"))) {
            store.register().compareAndSet("slots/broken", CasRegister.ABSENT, "not slots");
            store.register().compareAndSet("runs/broken", CasRegister.ABSENT, "not runs");
        }
        Result health = cli.run("health");
        assertThat(health.code()).isEqualTo(ExitCode.FAILED);
        assertThat(health.out()).startsWith("refused job token 1");
        assertThat(health.err())
                .contains("not everything can be looked at", "the slots of broken", "the runs of broken");
        assertThat(cli.run("health", "--refused-within", "1ms").code()).isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void aStoreThatDoesNotAnswerIsNotHealthy() {
        Result health = CliRunner.withMissingStore(folder.resolve("no/such/store"))
                .env("LEASEHOLD_STORE", "redis://127.0.0.1:1/0")
                .run("health");
        assertThat(health.code()).isEqualTo(ExitCode.UNAVAILABLE);
    }
}
