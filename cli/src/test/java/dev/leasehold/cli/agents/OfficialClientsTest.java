package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.testkit.environment.Requirements;
import dev.leasehold.testkit.environment.Requires;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The official clients of the protocol, in Java and for Node, over stdio and over HTTP. */
class OfficialClientsTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private CliRunner cli;
    private Process server;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store")).withDrivers();
    }

    @AfterEach
    void stopTheServer() throws Exception {
        if (server != null) {
            server.destroyForcibly().waitFor();
        }
    }

    /** The address of the path for agents. */
    private String serve() throws IOException {
        server = cli.start("serve", "--listen", "127.0.0.1:0", "--json");
        String line =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8)).readLine();
        return line.replaceAll(".*\"url\":\"([^\"]*)\".*", "$1");
    }

    private McpClientTransport transport(String kind) throws IOException {
        if (kind.equals("http")) {
            return HttpClientStreamableHttpTransport.builder(serve())
                    .endpoint("/mcp")
                    .build();
        }
        List<String> command = cli.commandLine("mcp");
        return new StdioClientTransport(
                ServerParameters.builder(command.get(0))
                        .args(command.subList(1, command.size()))
                        .env(cli.environment())
                        .build(),
                McpJsonDefaults.getMapper());
    }

    private static Map<?, ?> call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        McpSchema.CallToolResult result = client.callTool(
                McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
        return (Map<?, ?>) result.structuredContent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void theClientInJava(String kind) throws Exception {
        try (McpSyncClient client = McpClient.sync(transport(kind))
                .requestTimeout(PATIENCE)
                .initializationTimeout(PATIENCE)
                .build()) {
            assertThat(client.initialize().protocolVersion()).isEqualTo("2025-11-25");
            assertThat(client.listTools().tools())
                    .extracting(McpSchema.Tool::name)
                    .contains("lease_acquire", "explain");
            Map<?, ?> granted = call(client, "lease_acquire", Map.of("name", "job", "holder", "java"));
            assertThat(granted.get("outcome")).isEqualTo("granted");
            Map<?, ?> busy = call(client, "lease_acquire", Map.of("name", "job"));
            assertThat(busy.get("outcome")).isEqualTo("busy");
            assertThat(busy.get("holder")).isEqualTo("java");
            assertThat(client.callTool(McpSchema.CallToolRequest.builder("lease_acquire")
                                    .arguments(Map.of("name", "a b"))
                                    .build())
                            .isError())
                    .isTrue();
            assertThat(call(client, "lease_release", Map.of("handle", granted.get("handle")))
                            .get("outcome"))
                    .isEqualTo("released");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "legacy, stdio, 2025-11-25",
        "auto, stdio, 2026-07-28",
        "legacy, http, 2025-11-25",
        "auto, http, 2026-07-28"
    })
    @Requires({"node", "npm"})
    void theClientForNode(String mode, String kind, String version, TestInfo test) throws Exception {
        Path packages = packages(test);
        Path script = packages.resolve("session.mjs");
        Files.copy(ROOT.resolve("cli/src/test/mcp/session.mjs"), script, StandardCopyOption.REPLACE_EXISTING);
        List<String> command = new ArrayList<>(List.of("node", script.toString(), mode));
        if (kind.equals("http")) {
            String key = cli.run("keys", "add", "node", "--role", "holder", "--prefix", "team/")
                    .outLine();
            command.add(serve() + "/mcp");
            cli.env("LEASEHOLD_ACCESS_KEY", key);
        } else {
            command.addAll(cli.commandLine("mcp"));
        }
        String session = output(command);
        assertThat(session)
                .contains(
                        "\"version\":\"" + version + "\"",
                        "[\"granted\",\"busy\",\"claimed\",\"completed\",\"begin\",\"released\",\"stale\"]",
                        "\"holder\":\"node\"",
                        "\"invalid\":true",
                        "\"unknown\":-32602",
                        "\"server\":\"leasehold\"");
        if (kind.equals("http")) {
            assertThat(session).contains("\"session\":" + mode.equals("legacy"));
        }
    }

    private Path packages(TestInfo test) throws Exception {
        Process install = new ProcessBuilder(ROOT.resolve("scripts/mcp-client").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(install.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        Requirements.require(
                test,
                install.waitFor() == 0,
                "the package @modelcontextprotocol/client, which scripts/mcp-client gets from the registry of npm");
        return Path.of(printed);
    }

    private String output(List<String> command) throws Exception {
        Path err = directory.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
        builder.environment().putAll(cli.environment());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return out;
    }
}
