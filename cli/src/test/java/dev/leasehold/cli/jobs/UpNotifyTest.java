package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.child.NotifySocket;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code up} and {@code serve} as services of systemd, with its own {@code systemd-notify}. */
@Requires({"systemd-notify", "python3"})
@Timeout(240)
class UpNotifyTest {
    @TempDir
    Path folder;

    private NotifySocket systemd;
    private CliRunner cli;
    private Process service;

    @BeforeEach
    void listen() throws Exception {
        systemd = new NotifySocket(folder);
        cli = CliRunner.withStore(folder.resolve("store")).withDrivers().env("NOTIFY_SOCKET", systemd.address());
    }

    @AfterEach
    void end() throws Exception {
        if (service != null) {
            service.destroyForcibly().waitFor();
        }
        systemd.close();
    }

    private void start(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(cli.commandLine(arguments));
        builder.environment().putAll(cli.environment());
        service = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private String log() {
        return new WatchedFolder(folder).read("log") + systemd.received();
    }

    private void await(String line) throws InterruptedException {
        WatchedFolder.await(line, () -> !service.isAlive() || systemd.received().contains(line + "\n"), this::log);
        assertThat(service.isAlive() || line.startsWith("STOPPING")).as(log()).isTrue();
    }

    private void signal(String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(service.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private void end(String signal) throws Exception {
        signal(signal);
        assertThat(service.waitFor(60, TimeUnit.SECONDS)).as(log()).isTrue();
        assertThat(service.exitValue()).as(log()).isZero();
        assertThat(systemd.received()).endsWith("STOPPING=1\nSTATUS=stopping\n");
    }

    @Test
    void upIsReadyReloadsOnHupAndStops() throws Exception {
        Path file = folder.resolve("jobs.yaml");
        Files.writeString(file, "jobs: {a: {schedule: '* * * * * *', shell: 'echo _$NOTIFY_SOCKET >> seen'}}");
        start("up", "-f", file.toString());
        String runs = " of " + file;
        await("READY=1\nSTATUS=runs 1 job" + runs);

        signal("HUP");
        await("STATUS=reads its file again\nREADY=1\nSTATUS=runs 1 job" + runs);
        assertThat(systemd.received()).contains("RELOADING=1\nMONOTONIC_USEC=");
        assertThat(log())
                .contains("jobs.yaml was read again: running 1 job now")
                .doesNotContain("has changed");

        // HUP does not wait until the file has settled, and the file is not read a second time after that.
        Files.writeString(file, "jobs: {a: {schedule: x}}");
        signal("HUP");
        await("READY=1\nSTATUS=runs 1 job" + runs + "; " + file + " was changed and is not used");
        assertThat(log()).contains("the previous jobs stay in force");
        WatchedFolder.await(
                "a run", () -> !new WatchedFolder(folder).read("seen").isEmpty(), this::log);
        Thread.sleep(3000);
        assertThat(log().split("the previous jobs stay in force", -1)).hasSize(2);

        end("TERM");
        assertThat(Files.readString(folder.resolve("seen")).lines().distinct())
                .as("a job cannot speak for the service")
                .containsExactly("_");
        assertThat(log()).doesNotContain("systemd was not told");
    }

    @Test
    void serveIsReadyWhenItListensAndStops() throws Exception {
        start("serve", "--listen", "127.0.0.1:0");
        WatchedFolder.await(
                "ready", () -> systemd.received().contains("READY=1\nSTATUS=listening on http://"), this::log);
        signal("HUP");
        Thread.sleep(500);
        assertThat(service.isAlive()).as("a closed terminal does not end it").isTrue();
        end("TERM");
    }

    @Test
    void aServiceThatCannotStartIsNeverReady() throws Exception {
        start("up", "-f", folder.resolve("missing.yaml").toString());
        assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(service.exitValue()).isEqualTo(64);
        assertThat(systemd.received()).isEmpty();
    }
}
