package dev.leasehold.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Before a target is written, the store is asked about the token. */
class TokenCheckTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path store;
    private Path file;
    private Path tree;

    @BeforeEach
    void useAnEmptyStore() throws IOException {
        store = directory.resolve("store");
        file = directory.resolve("page.html");
        tree = Files.createDirectory(directory.resolve("tree"));
        cli = CliRunner.withStore(store);
    }

    private List<List<String>> commands() {
        return List.of(
                List.of("write", file.toString()),
                List.of("append", directory.resolve("log").toString()),
                List.of("publish", tree.toString(), directory.resolve("site").toString()),
                List.of("push", directory.resolve("no.git").toString(), "main"),
                List.of("raise", tree.toString()),
                List.of("exec-fenced", file.toString()));
    }

    private Result run(List<String> command, String token, String... more) {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of("--name", "job", "--token", token));
        line.addAll(List.of(more));
        if (command.get(0).equals("exec-fenced")) {
            line.addAll(List.of("--", "touch", file.toString()));
        }
        return cli.stdin("content\n").run(line.toArray(String[]::new));
    }

    private Result write(String token, String... more) {
        return run(List.of("write", file.toString()), token, more);
    }

    private void assertNothingWritten() {
        assertThat(directory.toFile().list()).containsExactlyInAnyOrder("store", "tree");
    }

    @Test
    void aStaleTokenIsRefusedThoughItsSuccessorHasRaisedNothing() {
        cli.run("acquire", "job");
        cli.run("takeover", "job", "--reason", "stuck");
        for (List<String> command : commands()) {
            Result stale = run(command, "1");

            assertThat(stale.code()).as("%s: %s", command, stale.err()).isEqualTo(ExitCode.STALE);
            assertThat(stale.err())
                    .contains("nothing was written", "token 1 of job is stale", "the store has granted token 2");
            assertNothingWritten();
        }
        Result json = write("1", "--json", "--quiet");

        assertThat(JsonText.object(json.out()))
                .containsEntry("outcome", "stale")
                .containsEntry("current", 2L);
        assertThat(cli.run("explain", "job").out()).contains("7 refused as stale", file.toString());
        assertThat(write("2").code()).isZero();
        assertThat(file).hasContent("content\n");
    }

    @Test
    void aTokenThatBecomesStaleWhileStdinIsReadIsRefused() throws Exception {
        cli.run("acquire", "job");
        Process write = cli.start("write", file.toString(), "--name", "job", "--token", "1");
        write.getOutputStream().write("slow\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        write.getOutputStream().flush();
        for (int i = 0; i < 8000 && !isStaging(); i++) {
            Thread.sleep(5);
        }
        cli.run("takeover", "job", "--reason", "stuck");
        write.getOutputStream().close();

        assertThat(write.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(write.exitValue()).isEqualTo(ExitCode.STALE);
        assertNothingWritten();
    }

    private boolean isStaging() {
        return Stream.of(directory.toFile().list()).anyMatch(name -> name.contains("-staged-"));
    }

    @Test
    void aTokenThatWasNeverGrantedDoesNotPoisonTheTarget() {
        cli.run("acquire", "job");
        for (List<String> command : commands()) {
            Result wrong = run(command, "99999");

            assertThat(wrong.code()).as("%s: %s", command, wrong.err()).isEqualTo(ExitCode.USAGE);
            assertThat(wrong.err())
                    .contains("token 99999 of job was never granted", "the current token is 1")
                    .hasLineCount(1);
            assertNothingWritten();
        }
        assertThat(write("1").code()).isZero();
    }

    @Test
    void aWholeGrantAboveTheCounterMeansThatTheStoreWentBack() throws IOException {
        cli.run("acquire", "job");
        Path backup = directory.resolve("backup");
        copy(store, backup);
        cli.run("release", "job", "--token", "1");
        String grant = JsonText.object(cli.run("acquire", "job", "--json").out())
                .get("grant")
                .toString();
        FileLeaseStore.adopt(backup).close();
        Result refused = CliRunner.withStore(backup)
                .env("LEASEHOLD_GRANT", grant)
                .stdin("x")
                .run("write", file.toString(), "--json");

        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.STALE);
        assertThat(JsonText.object(refused.out())).containsEntry("outcome", "store-went-back");
        assertThat(refused.err())
                .contains("nothing was written", "the store went back in time", "leasehold repair job --above 2");
        assertThat(file).doesNotExist();
    }

    @Test
    void withoutAnAnswerTheTargetDecides() throws IOException {
        Path home = directory.resolve("home");
        assertThat(new CliRunner()
                        .env("HOME", home.toString())
                        .stdin("x")
                        .run("write", file.toString(), "--name", "job", "--token", "5"))
                .as("the store of this user does not exist")
                .isEqualTo(new Result(0, "", ""));
        assertThat(home).doesNotExist();
        cli.run("acquire", "another");
        assertThat(write("6")).as("the name is unknown").isEqualTo(new Result(0, "", ""));
        cli.run("acquire", "job");
        assertThat(write("7", "--no-check")).isEqualTo(new Result(0, "", ""));
        String grant = "lh1;8;another-attempt;another-store;job";
        assertThat(cli.env("LEASEHOLD_GRANT", grant).stdin("x").run("write", file.toString()))
                .as("another store")
                .isEqualTo(new Result(0, "", ""));
        Result unreachable = CliRunner.withMissingStore(Files.writeString(directory.resolve("no-store"), ""))
                .stdin("x")
                .run("write", file.toString(), "--name", "job", "--token", "9");
        assertThat(unreachable.code()).as(unreachable.err()).isZero();
        assertThat(unreachable.err()).contains("the store could not be asked").hasLineCount(1);
    }

    @Test
    void aStoreThatHangsDelaysAWriteBriefly() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            long start = System.nanoTime();
            Result written = new CliRunner()
                    .env("LEASEHOLD_STORE", "redis://127.0.0.1:" + silent.getLocalPort() + "/0")
                    .stdin("x")
                    .run("write", file.toString(), "--name", "job", "--token", "1");

            assertThat(written.code()).as(written.err()).isZero();
            assertThat(written.err()).contains("the store could not be asked", "within 1s");
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start))
                    .isLessThan(10);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
