package dev.leasehold.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server as a process, and commands that use it. */
class ServeCommandTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Process server;
    private String url;

    @BeforeEach
    void startAServer() throws Exception {
        cli = CliRunner.withStore(directory.resolve("store")).env("PATH", System.getenv("PATH"));
        server = cli.withDrivers().start("serve", "--listen", "127.0.0.1:0", "--json");
        String line =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8)).readLine();
        url = line.replaceAll(".*\"url\":\"([^\"]*)\".*", "$1");
    }

    @AfterEach
    void stopTheServer() throws Exception {
        server.destroyForcibly().waitFor();
    }

    private CliRunner client() {
        return CliRunner.withMissingStore(directory.resolve("no-store"))
                .env("LEASEHOLD_STORE", url)
                .env("PATH", System.getenv("PATH"))
                .withDrivers();
    }

    /** The lease, the work item, the target and the log of runs. */
    @Test
    void everyCommandWorksThroughTheServer() throws Exception {
        Path page = directory.resolve("page.html");
        Result run = client().process(
                        "run", "job", "--key", "2026-11-16", "--guard", "file:" + page, "--ttl", "10s", "--", "true");
        assertThat(run.code()).as(run.err()).isZero();
        for (List<String> command : List.of(
                List.of("status", "job"),
                List.of("history", "job"),
                List.of("explain", "job"),
                List.of("work"),
                List.of("fence", "show", page.toString()))) {
            Result direct = cli.run(command.toArray(String[]::new));
            Result served = client().run(command.toArray(String[]::new));
            // 'fence show' does not wait for long for a store, and says so.
            for (int i = 0; i < 10 && served.out().contains("no answer"); i++) {
                served = client().run(command.toArray(String[]::new));
            }
            assertThat(served.code()).as(command + served.err()).isZero();
            assertThat(withoutTimes(served.out())).isEqualTo(withoutTimes(direct.out()));
        }
        String token = client().run("acquire", "job", "--ttl", "10m").outLine();
        assertThat(token).isEqualTo("2");
        assertThat(cli.run("acquire", "job").code()).isEqualTo(ExitCode.BUSY);
        assertThat(cli.run("takeover", "job", "--reason", "it hangs").code()).isZero();
        Result stale = client().stdin("old").run("write", page.toString(), "--name", "job", "--token", token);
        assertThat(stale.code()).as(stale.err()).isEqualTo(ExitCode.STALE);
        assertThat(Files.exists(page)).isFalse();
        assertThat(client().run("doctor", "--rounds", "20").out()).contains("atomic");
    }

    private static String withoutTimes(String text) {
        return text.replaceAll("[0-9.]+ ?m?s\\b", "").replaceAll("[ -]+", " ");
    }

    @Test
    void aSignalStopsItAndItAnswersAgainAfterwards() throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest ready = HttpRequest.newBuilder(URI.create(url + "/readyz")).build();
        assertThat(http.send(ready, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        server.destroy();
        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isZero();
        Result refused = client().run("status");
        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err()).contains(url, "is not reachable");
    }

    @Test
    void aPortInUseIsExplained() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Result refused = cli.run("serve", "--listen", "127.0.0.1:" + other.getLocalPort());
            assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(refused.err()).contains("port " + other.getLocalPort(), "--listen HOST:PORT");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"7420", ":7420", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", "0.0.0.0:0", "[::]:0"})
    void aPlaceThatIsMistypedOrNotProtectedIsRefused(String place) {
        Result refused = cli.run("serve", "--listen", place);
        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("listen");
    }

    @Test
    void aCommandNeedsAKeyOnceThereIsOne() throws Exception {
        String key = cli.run("keys", "add", "sandbox-7", "--role", "holder", "--prefix", "team-a/")
                .outLine();
        TimeUnit.MILLISECONDS.sleep(1100);
        assertThat(client().run("status").err()).contains("leasehold keys add");
        Path file = Files.writeString(directory.resolve("key"), key);
        CliRunner known = client().env("LEASEHOLD_STORE", url + "?auth-file=" + file);
        assertThat(known.process("run", "team-a/job", "--key", "k", "--", "true")
                        .code())
                .isZero();
        assertThat(known.run("status", "team-a/job").code()).isZero();
        Result other = known.run("acquire", "team-b/job");
        assertThat(other.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(other.err()).contains("the key is for names that start with team-a/");
        assertThat(known.run("takeover", "team-a/job", "--reason", "r").err()).contains("for the role operator");
        assertThat(client().env("LEASEHOLD_STORE", url)
                        .env("LEASEHOLD_ACCESS_KEY", key)
                        .process("status")
                        .code())
                .isZero();
    }

    @Test
    void aStoreThatDoesNotExistIsNotServed() {
        Result refused = client().env("LEASEHOLD_STORE", "file:" + directory.resolve("typo"))
                .run("serve");
        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err()).contains("store init");
    }
}
