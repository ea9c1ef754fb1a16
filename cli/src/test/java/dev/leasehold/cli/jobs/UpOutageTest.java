package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** {@code leasehold up}, while the server of its store is stopped and started again. */
class UpOutageTest {
    private static final List<String> JOBS = List.of("red", "green", "blue");

    @TempDir
    Path folder;

    private RedisServer server;
    private Process up;

    /** It keeps its data, so it is the same store afterwards. */
    private void startServer(int port) throws IOException {
        server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("dir " + folder)
                .setting("appendonly yes")
                .setting("appendfsync always")
                .build();
        server.start();
    }

    @AfterEach
    void end() throws Exception {
        if (up != null) {
            up.destroyForcibly().waitFor();
        }
        server.stop();
    }

    private void startJobs(CliRunner cli) throws IOException {
        StringBuilder jobs = new StringBuilder("jobs:\n");
        JOBS.forEach(job -> jobs.append("  ")
                .append(job)
                .append(": {schedule: '* * * * * *', ttl: 10s, shell: 'echo ")
                .append(job)
                .append(" >> effects'}\n"));
        Path file = Files.writeString(folder.resolve("jobs.yaml"), jobs);
        ProcessBuilder builder = new ProcessBuilder(cli.commandLine("up", "-f", file.toString()));
        builder.environment().putAll(cli.environment());
        up = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    @Test
    void theOutageIsTwoLinesAndTheJobsGoOn() throws Exception {
        int port = LoopbackPort.free();
        startServer(port);
        CliRunner cli = new CliRunner()
                .env("LEASEHOLD_STORE", "redis://localhost:" + port + "/0")
                .withDrivers();
        assertThat(cli.run("store", "init").code()).isZero();
        startJobs(cli);
        await("every job runs", () -> effects(0).containsAll(JOBS));

        server.stop();
        await("the outage is reported", () -> log().contains("the store does not answer: "));
        // Each job tries several times meanwhile.
        Thread.sleep(3000);
        int before = effects(0).size();
        startServer(port);
        await("the end is reported", () -> log().contains("the store answers again. "));
        await("every job runs again", () -> effects(before).containsAll(JOBS));
        up.destroy();

        assertThat(up.waitFor(90, TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).as(log()).isZero();
        List<String> aboutTheStore = log().lines()
                .filter(line -> line.contains("the store ") || line.contains("Redis at "))
                // A slot that ran when the server was stopped has a line of its own.
                .filter(line -> !line.contains(" was cut off "))
                .toList();
        assertThat(aboutTheStore).as(log()).hasSize(2);
        assertThat(log()).containsPattern("It did not for [0-9ms]+ \\(\\d+ calls? failed\\)");
        for (String job : JOBS) {
            assertThat(cli.run("due", job).out()).contains(" ran").doesNotContain("failed");
        }
    }

    /** What the jobs have written, after the first lines. */
    private List<String> effects(int skipped) {
        return new WatchedFolder(folder).read("effects").lines().skip(skipped).toList();
    }

    private String log() {
        return new WatchedFolder(folder).read("log");
    }

    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        WatchedFolder.await(what, condition, this::log);
    }
}
