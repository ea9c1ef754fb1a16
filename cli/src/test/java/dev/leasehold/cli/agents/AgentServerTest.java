package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import dev.leasehold.cli.CliRunner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on the same host answers the hook, through the few lines of shell in the launcher. */
class AgentServerTest {
    private static final String NOT_ASKED = "the program decides\n";

    @TempDir
    Path directory;

    @Test
    void theLauncherAsksTheServerAndOtherwiseLeavesTheEventToTheProgram() throws Exception {
        Path state = directory.resolve("state");
        Path repo = Files.createDirectories(directory.resolve("repo/.git")).getParent();
        CliRunner cli = CliRunner.withStore(directory.resolve("store"))
                .env("LEASEHOLD_AGENT_STATE", state.toString())
                .withDrivers();
        String edit = "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"SESSION\",\"cwd\":\"" + repo
                + "\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"new.txt\",\"content\":\"x\"}}";
        assertThat(hook(cli, edit)).isEqualTo(NOT_ASKED + edit);

        Process server = cli.start("serve", "--agent-hooks", "--listen", "127.0.0.1:0");
        try {
            for (int i = 0; i < 600 && !Files.exists(state.resolve("server")); i++) {
                Thread.sleep(100);
            }
            assertThat(hook(cli, edit.replace("SESSION", "first"))).isEmpty();
            assertThat(hook(cli, edit.replace("SESSION", "second")))
                    .contains("\"permissionDecision\":\"deny\"")
                    .contains("claude session first");
            assertThat(cli.stdin(edit.replace("SESSION", "third"))
                            .run("agent-hook", "claude")
                            .out())
                    .as("the program, in the same store")
                    .contains("claude session first");
            assertThat(hook(cli, "nonsense")).isEqualTo(NOT_ASKED + "nonsense");
            assertThat(hook(cli.env("LEASEHOLD_STORE", "file:/another"), edit)).isEqualTo(NOT_ASKED + edit);
        } finally {
            server.destroy();
            server.waitFor();
        }
        assertThat(state.resolve("server")).doesNotExist();
    }

    /** A server that was killed leaves its file behind, and another program may get its port. */
    @Test
    void theAnswerOfAnotherProgramAtTheAddressIsNotBelieved() throws Exception {
        Path state = Files.createDirectory(directory.resolve("state"));
        CliRunner cli = CliRunner.withStore(directory.resolve("store")).env("LEASEHOLD_AGENT_STATE", state.toString());
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.start();
        try {
            for (String answer : List.of("{}", "", "<html></html>", "{\"store\":\"another\",\"answer\":{}}")) {
                byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                HttpContext context = other.createContext("/", exchange -> {
                    exchange.getRequestBody().readAllBytes();
                    exchange.sendResponseHeaders(200, 0);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
                Files.writeString(
                        state.resolve("server"),
                        "http://127.0.0.1:" + other.getAddress().getPort() + "\n"
                                + cli.environment().get("LEASEHOLD_STORE") + "\nthe-id-of-the-store\n");
                assertThat(hook(cli, "{\"a\":1}")).as(answer).isEqualTo(NOT_ASKED + "{\"a\":1}");
                other.removeContext(context);
            }
        } finally {
            other.stop(0);
        }
    }

    /** As a frozen server does: the system accepts the connection, and nobody ever answers. */
    @Test
    void aServerThatHangsIsNotWaitedForForEver() throws Exception {
        Path state = Files.createDirectory(directory.resolve("state"));
        CliRunner cli = CliRunner.withStore(directory.resolve("store")).env("LEASEHOLD_AGENT_STATE", state.toString());
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.writeString(
                    state.resolve("server"),
                    "http://127.0.0.1:" + silent.getLocalPort() + "\n"
                            + cli.environment().get("LEASEHOLD_STORE") + "\nthe-id-of-the-store\n");
            String large = "{\"a\":\"" + "é".repeat(3_000_000) + "\"}";
            assertThat(hook(cli, large)).isEqualTo(NOT_ASKED + large);
        }
    }

    /** Runs the function of the launcher, and shows what is left on stdin if the server did not decide. */
    private static String hook(CliRunner cli, String event) throws IOException, InterruptedException {
        String script =
                "eval \"$(sed -n '/^ask_server()/,/^# --- starting/p' ../leasehold)\"; ask_server claude; printf '"
                        + NOT_ASKED.strip() + "\\n'; cat";
        ProcessBuilder builder = new ProcessBuilder("bash", "-uc", script).redirectErrorStream(true);
        builder.environment().putAll(cli.environment());
        Process process = builder.start();
        process.getOutputStream().write(event.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return out;
    }
}
