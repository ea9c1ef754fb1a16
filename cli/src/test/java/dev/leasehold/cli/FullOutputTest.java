package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command that answers on stdout notices that the answer could not be written. */
class FullOutputTest {
    /**
     * Commands that run until they are stopped, or whose exit code is the answer: {@link LostAnswerTest} has those. Some have other
     * answers too, which the tests below lose.
     */
    private static final Set<String> OTHERS = Set.of(
            "run",
            "renew",
            "release",
            "check",
            "progress",
            "up",
            "pause",
            "resume",
            "write",
            "publish",
            "append",
            "exec-fenced",
            "push",
            "raise",
            "git-hook",
            "done",
            "deliver",
            "once",
            "settle",
            "cancel",
            "repair",
            "forget",
            "agent-hook",
            "health",
            "watch",
            "simulate",
            "soak",
            "serve",
            "ui",
            "mcp",
            "demo",
            "doctor",
            "install");

    @TempDir
    Path directory;

    @Test
    void anAnswerThatIsLostIsNoSuccess() {
        CliRunner cli = CliRunner.withStore(directory.resolve("store")).withDrivers();
        for (String options : List.of("tick --schedule @daily", "day --key k")) {
            List<String> run = new ArrayList<>(List.of("run"));
            run.addAll(List.of(options.split(" ")));
            run.addAll(List.of("--", "true"));
            assertThat(cli.process(run.toArray(String[]::new)).code()).isZero();
        }
        String file = directory.resolve("page").toString();
        assertThat(cli.run("acquire", "c").code()).isZero();
        assertThat(cli.stdin("x")
                        .run("write", file, "--name", "c", "--token", "1")
                        .code())
                .isZero();
        Map<String, List<String>> answers = new HashMap<>();
        answers.put("acquire", List.of("acquire", "d"));
        answers.put("due", List.of("due"));
        answers.put("start", List.of("start", "tick"));
        answers.put("fence", List.of("fence", "show", file));
        answers.put("work", List.of("work"));
        answers.put("status", List.of("status"));
        answers.put("history", List.of("history", "c"));
        answers.put("explain", List.of("explain", "c", "--json"));
        answers.put("takeover", List.of("takeover", "c", "--reason", "r"));
        answers.put("advise", List.of("advise", "c", "--json"));
        answers.put("store", List.of("store", "info"));
        answers.put("keys", List.of("keys", "add", "sandbox", "--role", "reader"));
        answers.put("completion", List.of("completion", "bash"));
        answers.put("help", List.of("help"));
        answers.put("version", List.of("version"));

        Set<String> known = new TreeSet<>(answers.keySet());
        known.addAll(OTHERS);
        assertThat(Commands.names())
                .as("a new command belongs into one of the lists")
                .allMatch(known::contains);
        answers.forEach((name, args) -> lost(cli, args));
        OTHERS.forEach(name -> lost(cli, List.of(name, "--help")));
    }

    /** With {@code --json}, the answers of commands whose exit code says the same are requested output too. */
    @Test
    void aLostLineOfJsonIsNoSuccess() {
        CliRunner cli = CliRunner.withStore(directory.resolve("store"));
        String page = directory.resolve("page").toString();
        for (String name : List.of("a", "b", "c", "d", "e")) {
            assertThat(cli.run("acquire", name).code()).isZero();
        }
        assertThat(cli.process("once", "mail", "--name", "e", "--token", "1", "--", "true")
                        .code())
                .isZero();
        assertThat(cli.run("release", "e", "--token", "1").code()).isZero();
        for (String line : List.of(
                "check a --token 1",
                "renew a --token 1",
                "progress a --token 1 --note n",
                "raise " + page + " --name a --token 1",
                "write " + page + " --name a --token 1",
                "release a --token 1",
                "takeover b --reason r",
                "cancel c --reason r",
                "settle mail --name e --made --reason r",
                "repair d --above 7 --reason r",
                "forget a --keep-targets --reason r",
                "doctor --rounds 20")) {
            List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
            words.add("--json");
            lost(cli, words);
        }
    }

    /** In words, these say more than their exit code. */
    @Test
    void aLostAnswerInWordsIsNoSuccess() throws Exception {
        CliRunner cli = CliRunner.withStore(directory.resolve("store"))
                .env("HOME", directory.toString())
                .env("PATH", System.getenv("PATH"));
        assertThat(cli.run("acquire", "old").code()).isZero();
        assertThat(cli.run("release", "old", "--token", "1").code()).isZero();
        Path jobs =
                Files.writeString(directory.resolve("jobs.yaml"), "jobs: {tick: {schedule: '@daily', shell: 'true'}}");
        Path repository = directory.resolve("site.git");
        assertThat(new ProcessBuilder("git", "init", "--quiet", "--bare", repository.toString())
                        .start()
                        .waitFor())
                .isZero();
        Thread.sleep(5); // longer than the name has to be old
        for (String line : List.of(
                "doctor --rounds 20",
                "up --check -f " + jobs,
                "git-hook status " + repository,
                "agent-hook status",
                "status never-held",
                "work never-claimed",
                "forget --older-than 1ms --dry-run",
                "forget --older-than 1ms")) {
            lost(cli, List.of(line.split(" ", -1)));
        }
        assertThat(cli.run("status").out())
                .as("the names are forgotten all the same")
                .contains("no leases");
    }

    /** A monitor looks at the code, and then for the lines. */
    @Test
    void theCodeOfHealthStaysAndItsLostLinesAreMissed() {
        CliRunner cli = CliRunner.withStore(directory.resolve("store"));
        String page = directory.resolve("page").toString();
        assertThat(cli.run("acquire", "a").code()).isZero();
        assertThat(cli.run("raise", page, "--name", "a", "--token", "1").code()).isZero();
        assertThat(cli.run("takeover", "a", "--reason", "r", "--guard", page).code())
                .isZero();
        assertThat(cli.run("write", page, "--name", "a", "--token", "1").code()).isEqualTo(ExitCode.STALE);
        assertThat(cli.run("health").out()).contains("refused a token 1");

        for (String options : List.of("", " --json")) {
            CliRunner.Result result = cli.runOnAFullDisk(("health" + options).split(" ", -1));

            assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.FAILED);
            assertThat(result.err())
                    .contains("the answer is lost", "its exit code 1 is right")
                    .hasLineCount(1);
        }
    }

    /** What they say in words goes to stderr. */
    @Test
    void anAnswerThatTheExitCodeCarriesIsNotMissed() {
        CliRunner cli = CliRunner.withStore(directory.resolve("store"));
        assertThat(cli.run("acquire", "e").code()).isZero();
        assertThat(cli.process("once", "mail", "--name", "e", "--token", "1", "--", "false")
                        .code())
                .isEqualTo(1);
        for (String line : List.of(
                "renew e --token 1",
                "check e --token 1",
                "release e --token 1",
                "settle mail --name e --made --reason r",
                "repair e --above 7 --reason r",
                "health")) {
            CliRunner.Result result = cli.runOnAFullDisk(line.split(" ", -1));

            assertThat(result.code()).as(line + ": " + result.err()).isZero();
            assertThat(result.err()).as(line).doesNotContain("lost");
        }
    }

    private static void lost(CliRunner cli, List<String> args) {
        CliRunner.Result result = cli.runOnAFullDisk(args.toArray(String[]::new));

        assertThat(result.code()).as(args + ": " + result.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(result.err()).as(args.toString()).containsAnyOf("the answer is lost", "cannot be printed");
    }
}
