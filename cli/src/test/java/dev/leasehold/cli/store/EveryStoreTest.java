package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.Commands;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command on every kind of store that the program includes. */
class EveryStoreTest {
    @RegisterExtension
    static final ServerStore POSTGRESQL = ServerStore.POSTGRESQL;

    @RegisterExtension
    static final ServerStore REDIS = ServerStore.REDIS;

    /**
     * Commands without a store, or with their own. Push, like write, asks the store only for the
     * reason of a refusal. The tests of the simulator module cover soak.
     */
    private static final Set<String> NOT_TRIED =
            Set.of("push", "git-hook", "serve", "ui", "watch", "simulate", "soak", "demo", "completion", "help");

    @TempDir
    static Path folder;

    private final Set<String> tried = new TreeSet<>();
    private CliRunner cli;
    private String held;

    static List<String> urls() {
        return List.of(
                "file:" + folder.resolve("leases"),
                "sqlite:" + folder.resolve("leases.db"),
                "h2:" + folder.resolve("leases-h2"),
                POSTGRESQL.url(),
                REDIS.url());
    }

    @ParameterizedTest
    @MethodSource("urls")
    void everyCommandWorks(String url) throws IOException {
        cli = new CliRunner().withDrivers().env("LEASEHOLD_STORE", url);
        CliRunner.Result missing = cli.process("run", "day", "--", "true");
        assertThat(missing.code()).as(missing.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(missing.err()).contains("leasehold store init");
        String pinned = ok("store", "init");
        assertThat(ok("status", "--store", pinned)).contains("no leases");
        String other = pinned.replaceFirst("id=.*", "id=another-store");
        assertThat(code("status", "--store", other)).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(code("status", "--store", pinned + "&ttt=1")).isEqualTo(ExitCode.USAGE);
        Path page = folder.resolve("page-" + url.replaceAll("[^a-z0-9]", "_"));

        holdAndWrite(page);
        takeOverFromAZombie(page);
        assertThat(ok("keys", "add", "sandbox", "--role", "reader")).startsWith("lhk_");
        raiseTheToken(page);
        runAndReport(page);
        scheduleASlot();
        forgetAndExamine();
        keepAgentsApart(page.getFileName().toString());
        assertThat(tried).containsExactlyElementsOf(commandsWithAStore());
    }

    /** A store without a clock: each command is a process of its own, and goes on with what earlier ones have seen. */
    @Nested
    @Requires("etcd")
    class Etcd {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.ETCD;

        @Test
        void everyCommandWorksOnEtcd() throws IOException {
            everyCommandWorks(SERVER.url());
        }

        /** No single command waits for the ttl, so without their common memory the lease would never be granted. */
        @Test
        void commandsWaitTogetherForTheLeaseOfADeadHolder() {
            CliRunner commands = new CliRunner()
                    .withDrivers()
                    .env("LEASEHOLD_STORE", SERVER.url().replace("/leases", "/waiting"))
                    .env("XDG_STATE_HOME", folder.resolve("state").toString());
            assertThat(commands.run("store", "init").code()).isZero();
            assertThat(commands.process("acquire", "dead", "--ttl", "4s").code())
                    .isZero();
            int tries = 1;
            while (commands.process("acquire", "dead", "--ttl", "4s").code() == ExitCode.BUSY) {
                tries++;
                assertThat(tries).as("tries").isLessThan(200);
            }
            assertThat(tries).isGreaterThan(1);
            assertThat(folder.resolve("state/leasehold-observations")).isNotEmptyDirectory();
        }
    }

    @Nested
    @Requires(InstalledProgram.MYSQL)
    class MySql {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.MYSQL;

        @Test
        void everyCommandWorksOnMySql() throws IOException {
            everyCommandWorks(SERVER.url());
        }
    }

    /** A server is a store like any other, except for what only its own host may do. */
    @Test
    void everyCommandWorksThroughAServer() throws IOException {
        try (LeaseStore behind = Stores.create("file:" + folder.resolve("served"));
                LeaseholdServer server = LeaseholdServer.over(behind)
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .start()) {
            cli = new CliRunner()
                    .withDrivers()
                    .env("LEASEHOLD_STORE", server.uri().toString());
            Path page = folder.resolve("page-http");
            holdAndWrite(page);
            takeOverFromAZombie(page);
            raiseTheToken(page);
            runAndReport(page);
            scheduleASlot();
            forgetAndExamine();
            keepAgentsApart("http");
            String pinned = ok("store", "init");
            assertThat(pinned).contains("id=" + behind.id().value());
            assertThat(ok("status", "--store", pinned)).contains("day");
            String other = pinned.replaceFirst("id=.*", "id=another-store");
            assertThat(code("status", "--store", other)).isEqualTo(ExitCode.UNAVAILABLE);
            refused("keys are made in the store itself", "keys", "add", "sandbox", "--role", "reader");
            refused("keys are made in the store itself", "keys", "list");
            String served = server.uri().toString();
            String file = "file:" + folder.resolve("served");
            refused("the store behind the server", "store", "migrate", "--from", served, "--to", "file:" + folder);
            refused("the store behind the server", "store", "migrate", "--from", file, "--to", served);
            refused("only a file store can be adopted", "store", "adopt", served);
        }
        assertThat(tried).containsExactlyElementsOf(commandsWithAStore());
    }

    private void refused(String because, String... args) {
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
    private void keepAgentsApart(String session) {
        assertThat(edit(session + "-1")).doesNotContain("deny");
        assertThat(edit(session + "-2")).contains("deny", "is being edited by claude session");
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
        assertThat(process("once", "mail-7", "--name", "day", "--token", "2", "--", "echo", "sent"))
                .isEmpty();
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
        assertThat(process("run", "day", "--key", "page", "--", "echo", "again"))
                .isEmpty();
        assertThat(ok("explain", "day")).contains("42").contains("1 already done");
        assertThat(ok("advise", "day")).contains("Not enough data");
        ok("health", "--refused-within", "1ms");
        assertThat(cli.run("health").out()).startsWith("refused day token 1");
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

    private String ok(String... args) {
        tried.add(args[0]);
        CliRunner.Result result = cli.run(args);
        assertThat(result.code()).as("%s: %s", List.of(args), result.err()).isZero();
        return result.outLine();
    }

    private int code(String... args) {
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
