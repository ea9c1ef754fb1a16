package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class McpCommandTest {
    private static final String INITIALIZE =
            "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{}}}\n";

    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
    }

    private static String call(int id, String tool, String arguments) {
        return "{'jsonrpc':'2.0','id':" + id + ",'method':'tools/call','params':{'name':'" + tool + "','arguments':"
                + arguments + "}}\n";
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    @Test
    void aSessionEndsWithItsInput() {
        Result session = cli.stdin(json(INITIALIZE
                        + call(1, "lease_acquire", "{'name':'kept','keep_alive':true,'holder':'claude'}")
                        + call(2, "lease_acquire", "{'name':'other'}")))
                .process("mcp");
        assertThat(session.code()).isZero();
        assertThat(session.err()).isEmpty();
        assertThat(session.out().lines()).hasSize(3).allMatch(line -> line.startsWith("{\"jsonrpc\":\"2.0\","));
        String status = cli.run("status").out();
        assertThat(status).containsPattern("kept +released").containsPattern("other +held");
    }

    /** The log of a session has no stack trace, and stdout has nothing but messages. */
    @Test
    void whatGoesWrongIsOnStderrOnly() throws Exception {
        Path root = Files.createDirectory(directory.resolve("root"));
        Files.writeString(root.resolve("a"), "x");
        Files.createLink(root.resolve("b"), root.resolve("a"));
        Process server = cli.start("mcp", "--root", root.toString());
        try (BufferedReader out = reader(server)) {
            OutputStream in = server.getOutputStream();
            send(in, call(1, "lease_acquire", "{'name':'job'}"));
            String handle = out.readLine().replaceAll(".*\"handle\":\"([^\"]*)\".*", "$1");
            send(in, call(2, "write_file", "{'handle':'" + handle + "','path':'a','content':'y'}"));
            assertThat(out.readLine()).contains("\"unavailable\"").doesNotContain(root.toString());
            in.close();
            assertThat(out.readLine()).isNull();
        }
        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String err = new String(server.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(err.lines()).singleElement().asString().contains("hard links");
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void send(OutputStream in, String line) throws IOException {
        in.write(json(line).getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void aSignalReleasesWhatIsKeptAlive(String signal) throws Exception {
        Process server = cli.start("mcp");
        try (BufferedReader out = reader(server)) {
            send(server.getOutputStream(), call(1, "lease_acquire", "{'name':'kept','keep_alive':true}"));
            assertThat(out.readLine()).contains("granted");
            assertThat(cli.run("status").out()).containsPattern("kept +held");
            new ProcessBuilder("kill", "-" + signal, Long.toString(server.pid()))
                    .start()
                    .waitFor();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isZero();
        } finally {
            server.destroyForcibly();
        }
        assertThat(cli.run("status").out()).containsPattern("kept +released");
    }

    @Test
    void mistakesAreUsageErrors() {
        for (List<String> wrong : List.of(
                List.of("mcp", "--root", directory.resolve("missing").toString()),
                List.of(
                        "mcp",
                        "--root",
                        directory.resolve("store/leasehold-store").toString()),
                List.of("mcp", "--root", ""),
                List.of("mcp", "--root", "a\0b"),
                List.of("mcp", "--keep-alive-max", "0s"),
                List.of("mcp", "--keep-alive-max", "25h"),
                List.of("mcp", "--keep-alive-max", "soon"),
                List.of("mcp", "stdio"),
                List.of("mcp", "--stdio"))) {
            Result refused = cli.run(wrong.toArray(String[]::new));
            assertThat(refused.code()).as("%s", wrong).isEqualTo(ExitCode.USAGE);
            assertThat(refused.out()).isEmpty();
        }
        Result missing =
                CliRunner.withMissingStore(directory.resolve("nothing")).run("mcp");
        assertThat(missing.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(missing.out()).isEmpty();
    }
}
