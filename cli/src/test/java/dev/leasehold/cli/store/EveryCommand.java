package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.Commands;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Every command on one store, in an order in which each has something to do. */
final class EveryCommand {
    /**
     * Commands without a store, or with their own. Push, like write, asks the store only for the
     * reason of a refusal. The tests of the simulator module cover soak.
     */
    private static final Set<String> NOT_TRIED = Set.of(
            "push",
            "git-hook",
            "serve",
            "ui",
            "watch",
            "simulate",
            "soak",
            "demo",
            "completion",
            "help",
            "version",
            "install");

    private final Path folder;
    private final CliRunner cli;
    private final Set<String> tried = new TreeSet<>();
    private String held;

    /** @param folder for the files that the commands write */
    EveryCommand(Path folder, String url) {
        this.folder = folder;
        cli = new CliRunner().withDrivers().env("LEASEHOLD_STORE", url);
    }

    /** @param environment what the store needs beside its URL */
    EveryCommand in(Map<String, String> environment) {
        environment.forEach(cli::env);
        return this;
    }

    /** Creates the store and tries all of them. Only commands that start another one are processes, for the time that it takes. */
    void onANewStore() throws IOException {
        CliRunner.Result missing = cli.run("run", "day", "--", "true");
        assertThat(missing.code()).as(missing.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(missing.err()).contains("leasehold store init");
        String pinned = ok("store", "init");
        assertThat(ok("status", "--store", pinned)).contains("no leases");
        String other = pinned.replaceFirst("id=.*", "id=another-store");
        assertThat(code("status", "--store", other)).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(code("status", "--store", pinned + "&ttt=1")).isEqualTo(ExitCode.USAGE);
        assertThat(ok("keys", "add", "sandbox", "--role", "reader")).startsWith("lhk_");
        onAStore();
        assertAllTried();
    }

    /** Tries those that need no rights beyond its use. */
    void onAStore() throws IOException {
        Path page = folder.resolve("page");
        holdAndWrite(page);
        takeOverFromAZombie(page);
        raiseTheToken(page);
        runAndReport(page);
        scheduleASlot();
        forgetAndExamine();
        keepAgentsApart();
    }

    void assertAllTried() {
        assertThat(tried).containsExactlyElementsOf(commandsWithAStore());
    }

    void refused(String because, String... args) {
        tried.add(args[0]);
        CliRunner.Result result = cli.run(args);
        assertThat(result.code()).as("%s: %s", List.of(args), result.err()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains(because);
    }

    private void forgetAndExamine() {
        ok("forget", "tick", "--reason", "replaced");
        assertThat(ok("status")).contains("day").doesNotContain("tick");
        assertThat(ok("due")).doesNotContain("tick");
        assertThat(ok("doctor", "--rounds", "40")).contains("grade: atomic");
        assertThat(ok("status")).as("what the examination left behind").doesNotContain("leasehold-scratch");
    }

    /** The first of two sessions may write a new file, and the second may not. */
    private void keepAgentsApart() {
        assertThat(edit("session-1")).doesNotContain("deny");
        assertThat(edit("session-2")).contains("deny", "is being edited by claude session");
        cli.stdin(
                """
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},\
                "clientInfo":{"name":"test","version":"1"}}}
                {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lease_status","arguments":{"name":"day"}}}
                """);
        assertThat(ok("mcp")).contains("\"id\":2", "\"name\":\"day\"");
    }

    private String edit(String session) {
        cli.stdin("{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"" + session + "\",\"cwd\":\"" + folder
                + "\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"" + folder.resolve("new-file")
                + "\",\"content\":\"text\"}}");
        return ok("agent-hook", "claude", "--state", folder.resolve("agents").toString());
    }

    private void holdAndWrite(Path page) throws IOException {
        Map<String, Object> acquired = JsonText.object(ok("acquire", "day", "--ttl", "60s", "--json"));
        assertThat(acquired).containsEntry("token", 1L);
        held = (String) acquired.get("grant");
        assertThat(code("acquire", "day", "--ttl", "60s")).isEqualTo(ExitCode.BUSY);
        ok("renew", "day", "--token", "1", "--ttl", "90s");
        ok("check", "day", "--token", "1");
        ok("progress", "day", "--token", "1", "--note", "half way", "--checkpoint", "42");
        assertThat(ok("status", "day")).contains("half way");
        ok("raise", page.toString(), "--name", "day", "--token", "1");
        cli.stdin("first\n");
        ok("write", page.toString(), "--name", "day", "--token", "1");
        cli.stdin("a line\n");
        ok("append", page + ".log", "--name", "day", "--token", "1");
        ok(
                "publish",
                Files.createDirectories(folder.resolve("tree")).toString(),
                page + ".site",
                "--name",
                "day",
                "--token",
                "1");
        process("exec-fenced", page + ".data", "--name", "day", "--token", "1", "--", "touch", page + ".data");
    }

    private void takeOverFromAZombie(Path page) {
        String taken = ok("takeover", "day", "--reason", "it hangs", "--guard", page.toString(), "--json");
        assertThat(JsonText.object(taken)).containsEntry("token", 2L);
        assertThat(code("renew", "day", "--token", "1")).isEqualTo(ExitCode.NOT_CURRENT);
        cli.stdin("zombie\n");
        assertThat(code("write", page.toString(), "--name", "day", "--token", "1"))
                .isEqualTo(ExitCode.STALE);
        assertThat(page).hasContent("first\n");
        assertThat(code("done", "page", "--grant", held)).isEqualTo(ExitCode.STALE);
        ok(
                "done",
                "page",
                "--grant",
                (String) JsonText.object(taken).get("grant"),
                "--result",
                "two pages",
                "--effect",
                "tell all");
        assertThat(process("deliver", "--name", "day", "--token", "2", "--", "sh", "-c", "echo $LEASEHOLD_EFFECT"))
                .isEqualTo("tell all");
        assertThat(process("once", "mail-7", "--name", "day", "--token", "2", "--", "echo", "sent"))
                .isEqualTo("sent");
        Path twice = page.resolveSibling("twice");
        ok("once", "mail-7", "--name", "day", "--token", "2", "--", "touch", twice.toString());
        assertThat(twice).doesNotExist();
        assertThat(ok("work", "--prune", "1d")).isEqualTo("0 pruned");
        assertThat(ok("work", "page")).contains("two pages");
        ok("release", "day", "--token", "2");
        ok("settle", "mail-7", "--name", "day", "--made", "--reason", "it was");
    }

    private void raiseTheToken(Path page) {
        ok("cancel", "day", "--reason", "nobody needs it");
        ok("repair", "day", "--above", "40", "--reason", "restored from a backup");
        assertThat(ok("fence", "show", page.toString())).contains("the same, its current token is 41");
    }

    private void runAndReport(Path page) {
        cli.stdin("");
        assertThat(process("run", "day", "--guard", page.toString(), "--", "sh", "-c", "echo $LEASEHOLD_TOKEN"))
                .isEqualTo("42");
        assertThat(ok("history", "day")).contains("it hangs").contains("restored from a backup");
        Path again = page.resolveSibling("again");
        ok("run", "day", "--key", "page", "--", "touch", again.toString());
        assertThat(again).doesNotExist();
        assertThat(ok("explain", "day")).contains("42").contains("1 already done");
        assertThat(ok("advise", "day")).contains("Not enough data");
        awaitHealthWithoutRefusals();
        assertThat(cli.run("health").out()).startsWith("refused day token 1");
    }

    /** The clock of a store may show seconds only, and then what was refused just now has no age yet. */
    private void awaitHealthWithoutRefusals() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (code("health", "--refused-within", "1ms") != 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        ok("health", "--refused-within", "1ms");
    }

    private void scheduleASlot() throws IOException {
        Path jobs = Files.writeString(folder.resolve("jobs.yaml"), "jobs: {tick: {schedule: '@daily', shell: 'true'}}");
        assertThat(ok("up", "--check", "-f", jobs.toString())).contains("tick");
        assertThat(process("run", "tick", "--schedule", "* * * * * *", "--", "sh", "-c", "echo $LEASEHOLD_KEY"))
                .startsWith("tick@");
        ok("pause", "tick", "--reason", "enough");
        assertThat(ok("due", "tick")).contains("ran", "enough");
        ok("resume", "tick", "--reason", "go on");
        assertThat(ok("start", "tick", "--holder", "alice")).contains("is asked for");
        assertThat(ok("due", "tick")).contains("started by alice, waits for a machine");
    }

    String ok(String... args) {
        tried.add(args[0]);
        CliRunner.Result result = cli.run(args);
        assertThat(result.code()).as("%s: %s", List.of(args), result.err()).isZero();
        return result.outLine();
    }

    int code(String... args) {
        return cli.run(args).code();
    }

    private String process(String... args) {
        tried.add(args[0]);
        CliRunner.Result result = cli.process(args);
        assertThat(result.code()).as("%s: %s", List.of(args), result.err()).isZero();
        return result.outLine();
    }

    private static List<String> commandsWithAStore() {
        List<String> names = new ArrayList<>();
        for (CommandSpec spec : Commands.specs()) {
            if (!NOT_TRIED.contains(spec.name())) {
                names.add(spec.name());
            }
        }
        names.sort(null);
        return names;
    }
}
