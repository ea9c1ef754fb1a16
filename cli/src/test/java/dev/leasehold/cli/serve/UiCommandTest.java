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
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of one person, as a process. */
class UiCommandTest {
    @TempDir
    Path directory;

    @Test
    void theAddressOpensThePageAndNothingElseDoes() throws Exception {
        CliRunner cli = CliRunner.withStore(directory.resolve("store")).env("PATH", System.getenv("PATH"));
        assertThat(cli.run("acquire", "nightly", "--ttl", "10m").code()).isZero();
        Process ui = cli.withDrivers().start("ui");
        try {
            String address =
                    new BufferedReader(new InputStreamReader(ui.getInputStream(), StandardCharsets.UTF_8)).readLine();
            assertThat(address).matches("http://127\\.0\\.0\\.1:\\d+/#key=[a-z2-7]{40,}");
            URI server = URI.create(address.replaceAll("/#.*", ""));
            String key = address.replaceAll(".*#key=", "");

            assertThat(get(server, "/", null).body()).contains("Leasehold");
            assertThat(get(server, "/v1/leases", null).statusCode()).isEqualTo(401);
            assertThat(get(server, "/v1/leases", "x" + key).statusCode()).isEqualTo(401);
            assertThat(get(server, "/v1/leases", key).body()).contains("nightly");
            assertThat(get(server, "/v1/access", key).body()).contains("operator", System.getProperty("user.name"));
            // The key is not in the store: other servers of it stay open as they were.
            assertThat(cli.run("keys", "list").out()).doesNotContain("operator");
            ui.destroy();
            assertThat(ui.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(ui.exitValue()).isZero();
        } finally {
            ui.destroyForcibly().waitFor();
        }
    }

    @Test
    void aPortInUseIsExplained() throws Exception {
        CliRunner cli = CliRunner.withStore(directory.resolve("store"));
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Result refused = cli.run("ui", "--port", Integer.toString(other.getLocalPort()));
            assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(refused.err()).contains("port " + other.getLocalPort(), "leave out --port");
        }
    }

    @Test
    void withoutAStoreThereIsNoPage() {
        CliRunner cli = CliRunner.withMissingStore(directory.resolve("none"));
        assertThat(cli.run("ui").code()).isEqualTo(ExitCode.UNAVAILABLE);
    }

    private static HttpResponse<String> get(URI server, String path, String key) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
