package dev.leasehold.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Commands;
import dev.leasehold.cli.Main;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Parser;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command line in the README and the docs works when it is typed. The test runs each line in a
 * scratch directory that has the files, the store and the git remote that the documents mention.
 */
@Requires("git")
class DocumentedCommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));
    private static final int PATIENCE_SECONDS = 60;

    /** Lines that are not run, with the reason. They are only parsed. */
    private static final Map<String, String> ONLY_PARSED = Map.ofEntries(
            Map.entry("./leasehold demo", "takes 15 s, and DemoTest runs it"),
            Map.entry("./leasehold simulate --seeds 100000", "takes minutes"),
            Map.entry("./leasehold soak --minutes 60 ", "takes an hour; one of the lines needs Redis"),
            Map.entry("./leasehold doctor --peer", "needs a second host"),
            Map.entry("./leasehold store migrate", "needs a database server, and StoreMigrateTest runs it"),
            Map.entry("leasehold up -f leasehold.yaml", "runs until it is stopped"),
            Map.entry("leasehold watch ", "runs until it is stopped, and WatchCommandTest runs it"),
            Map.entry("./leasehold serve ", "runs until it is stopped, and ServeCommandTest runs it"),
            Map.entry("./leasehold ui", "runs until it is stopped, and UiCommandTest runs it"),
            Map.entry("leasehold store init 'table:", "needs the jar of the document, and LauncherTest runs it"),
            Map.entry("leasehold doctor --store 'table:", "needs the jar of the document, and LauncherTest runs it"),
            Map.entry("./leasehold store init etcd:", "needs etcd, and EveryStoreTest runs it"),
            Map.entry("./leasehold store init mysql:", "needs MySQL, and EveryStoreTest runs it"),
            Map.entry("./leasehold store init zookeeper:", "needs ZooKeeper, and ZooKeeperStoreTest opens such a URL"),
            Map.entry("./leasehold store init nats:", "needs NATS, and NatsStoreTest opens such a URL"));

    /** Commands that the documents show inside a run, and the run around them. */
    private static final Map<String, String> INSIDE = Map.of(
            "leasehold write ",
                    "leasehold run daily-publish --store file:/shared/leases --guard /shared/site/index.html",
            "leasehold push ", "leasehold run release --guard origin",
            "leasehold progress ", "leasehold run daily-publish --key progress",
            "leasehold done ", "leasehold run daily-publish --key done",
            "leasehold deliver ", "leasehold run daily-publish --key deliver");

    @TempDir
    Path directory;

    private Path scratch;
    private Path work;

    /** How a command ended. */
    private record Ended(int code, String output) {}

    @BeforeEach
    void makeWhatTheDocumentsMention() throws Exception {
        scratch = directory.toRealPath();
        work = Files.createDirectory(scratch.resolve("work"));
        for (String place :
                List.of("bin", "home", "work/site", "work/public", "shared/site", "opt/leasehold", "opt/site", "new")) {
            Files.createDirectories(scratch.resolve(place));
        }
        String program = program();
        for (String place : List.of("work", "bin", "opt/leasehold")) {
            script(scratch.resolve(place).resolve("leasehold"), program);
        }
        script(scratch.resolve("bin/render"), "echo page");
        for (String name : List.of("publish.sh", "sync.sh", "agent.sh", "mail.sh")) {
            script(work.resolve(name), "exit 0");
            script(scratch.resolve("opt/site").resolve(name), "exit 0");
        }
        Files.writeString(work.resolve("leasehold.yaml"), jobFile());
        prepare("leasehold store init && leasehold run daily-publish --schedule '30 2 * * *' -- true &&"
                + " leasehold run nightly-2026-03-01 -- true");
        prepare("leasehold store init file:/original && cp -r /original /new/place"
                .replace("/original", scratch + "/o"));
        prepare(("leasehold store init file:GONE && leasehold run page --store file:GONE --guard file:public/index.html"
                        + " -- true && rm -r GONE")
                .replace("GONE", scratch + "/gone"));
        prepare("git init -q --bare /srv/git/site.git && git init -q --bare ../origin.git && git init -q -b main &&"
                + " git add leasehold.yaml && git commit -q -m first && git tag v1.4 && git remote add origin"
                + " ../origin.git");
    }

    @Test
    void everyCommandLineWorks() throws Exception {
        List<String> failures = new ArrayList<>();
        List<String> unused = new ArrayList<>(ONLY_PARSED.keySet());
        List<DocumentedCommands.Line> lines = DocumentedCommands.in(ROOT);
        for (DocumentedCommands.Line line : lines) {
            String unrun = ONLY_PARSED.keySet().stream()
                    .filter(start -> (line.text() + " ").startsWith(start))
                    .findFirst()
                    .orElse(null);
            unused.remove(unrun);
            Ended ended = unrun != null ? parse(line.text()) : line.crontabCommand() != null ? cron(line) : type(line);
            if (ended.code() != 0) {
                failures.add(line.place() + ": " + line.text() + "\n  exit " + ended.code() + ": " + ended.output());
            }
        }

        assertThat(failures).isEmpty();
        assertThat(unused).as("in the list, but in no document").isEmpty();
        assertThat(lines).hasSizeGreaterThan(15);
    }

    @Test
    void aLineThatDoesNotWorkIsFound() throws Exception {
        assertThat(parse("leasehold soak --minute 60").code()).isEqualTo(ExitCode.USAGE);
        assertThat(parse("leasehold soak --minutes 60   for an hour").code()).isEqualTo(ExitCode.USAGE);
        assertThat(parse("leasehold soaks").code()).isEqualTo(ExitCode.USAGE);
        assertThat(type(new DocumentedCommands.Line("here", "leasehold due    shows what is due"))
                        .code())
                .isEqualTo(ExitCode.USAGE);
        for (String line : List.of(
                "0 6 * * *  ./leasehold run job --store file:/shared/leases -- true",
                "0 6 * * *  /opt/leasehold/leasehold run job --key \"$(date +%F)\" -- true")) {
            assertThat(cron(new DocumentedCommands.Line("here", line)).code())
                    .as(line)
                    .isNotZero();
        }
    }

    /** Checks the command and its options without running it. */
    private static Ended parse(String line) {
        List<String> words = List.of(line.replaceFirst("\\s#.*", "").split("\\s+"));
        List<String> arguments = words.subList(1, words.size());
        for (CommandSpec spec : Commands.specs()) {
            if (spec.name().equals(arguments.get(0))) {
                try {
                    Parser.parse(spec, arguments.toArray(String[]::new), 0);
                    return new Ended(0, "");
                } catch (UsageException e) {
                    return new Ended(ExitCode.USAGE, String.valueOf(e.getMessage()));
                }
            }
        }
        return new Ended(ExitCode.USAGE, "unknown command");
    }

    private Ended type(DocumentedCommands.Line line) throws Exception {
        String around = "";
        for (String call : new TreeSet<>(INSIDE.keySet())) {
            around = line.text().contains(call) ? INSIDE.get(call) : around;
        }
        String text = line.text();
        return run(
                work, path(), around.isEmpty() ? text : around + " -- bash -c '" + text.replace("'", "'\\''") + "\n'");
    }

    /** Cron starts a command in the home directory with a short PATH, and ends it at the first plain %. */
    private Ended cron(DocumentedCommands.Line line) throws Exception {
        String command = String.valueOf(line.crontabCommand());
        if (command.replace("\\%", "").contains("%")) {
            return new Ended(1, "cron ends the command at %; write \\%");
        }
        return run(scratch.resolve("home"), "/usr/bin:/bin", command.replace("\\%", "%"));
    }

    private void prepare(String line) throws Exception {
        Ended ended = run(work, path(), line);
        assertThat(ended.code()).as(line + ": " + ended.output()).isZero();
    }

    private String path() {
        return scratch.resolve("bin") + ":" + System.getenv("PATH");
    }

    private Ended run(Path where, String path, String line) throws Exception {
        String here = line.replaceAll("(?<![\\w.])/(shared|opt|srv|new)/", scratch + "/$1/");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", here).directory(where.toFile());
        Path output = scratch.resolve("output");
        builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", path);
        environment.put("HOME", scratch.resolve("home").toString());
        environment.put("LEASEHOLD_STORE", "file:" + scratch.resolve("store"));
        for (String role : List.of("AUTHOR", "COMMITTER")) {
            environment.put("GIT_" + role + "_NAME", "n");
            environment.put("GIT_" + role + "_EMAIL", "n@example.org");
        }
        Process process = builder.start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return new Ended(124, "still running after " + PATIENCE_SECONDS + " s");
            }
            return new Ended(process.exitValue(), Files.readString(output));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** The program with all its modules, as a line of shell. */
    private static String program() {
        return "exec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '" + System.getProperty("java.class.path") + "' "
                + Main.class.getName() + " \"$@\"";
    }

    private static void script(Path file, String line) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + line + "\n", StandardCharsets.UTF_8);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** The documented job file, with the store of this test. */
    private static String jobFile() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/jobs.md"));
        String start = "```yaml\n";
        String file = page.substring(page.indexOf(start) + start.length());
        return file.substring(0, file.indexOf("```")).replaceFirst("store: .*\n", "");
    }
}
