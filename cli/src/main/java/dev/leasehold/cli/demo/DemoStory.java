package dev.leasehold.cli.demo;

import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The story: two runs publish the same page. The first reads its input and is frozen; the second
 * publishes a newer edition; the first wakes up and publishes what it has read. In the second act
 * the runs hold a lease and write the page with {@code leasehold write}.
 */
final class DemoStory {
    private static final String TTL = "2s";

    /**
     * What a job does: read, think, write. It creates a file when it has read, so that it can be
     * frozen while it thinks.
     */
    private static final String JOB =
            """
            edition=$(cat "$DEMO/input")
            echo $$ > "$DEMO/$1.pid"
            touch "$DEMO/$1.has-read"
            while [ -e "$DEMO/$1.hold" ]; do sleep 0.05; done
            """;

    private static final String PLAIN_JOB = JOB + "echo \"edition $edition, by run $1\" > \"$DEMO/page\"\n";

    private static final String FENCED_JOB = JOB
            + """
            echo "edition $edition, by run $1" | %s write "$DEMO/page"
            echo $? > "$DEMO/$1.write-code"
            """;

    private final Console console;
    private final boolean json;
    private final Path scratch;
    private final DemoProcesses processes;

    DemoStory(Invocation invocation, Path scratch, DemoProcesses processes) {
        this.console = invocation.console();
        this.json = invocation.json();
        this.scratch = scratch;
        this.processes = processes;
    }

    int tell() throws IOException, InterruptedException {
        say(
                "Two runs publish the same page. Run A reads its input, then stalls: its processes are frozen with SIGSTOP,");
        say("as by a sleeping laptop. Meanwhile run B publishes a newer edition. Then A wakes up.");
        say("");
        say("1. Without Leasehold");
        boolean damaged = withoutLease();
        say("");
        say("2. With Leasehold: leasehold run page --ttl " + TTL
                + " --guard page -- ./job, and leasehold write in the job");
        boolean safe = withLease();
        say("");
        if (json) {
            console.print(new Json()
                    .put("lostWithoutLease", damaged)
                    .put("refusedWithLease", safe)
                    .toString());
        }
        if (damaged && safe) {
            say(
                    "The lease decided who may try. The token, checked by the target at the moment of the write, decided whose");
            say("write counts. No ttl is long enough for the first; the second needs no luck.");
            return ExitCode.OK;
        }
        console.error("the demo did not go as planned: this is a bug, or the machine is too busy; try again");
        return ExitCode.INTERNAL;
    }

    private boolean withoutLease() throws IOException, InterruptedException {
        input("1");
        hold("A");
        Process a = processes.shell(PLAIN_JOB, "A");
        processes.awaitFile(scratch.resolve("A.has-read"));
        say("   A has read edition 1");
        processes.freeze(a);
        say("   A is frozen");
        input("2");
        processes.awaitEnd(processes.shell(PLAIN_JOB, "B"));
        say("   B has published.    The page says: " + page());
        letGo("A");
        processes.thaw(a);
        processes.awaitEnd(a);
        boolean damaged = page().startsWith("edition 1");
        say("   A wakes up, writes. The page says: " + page() + (damaged ? "   <-- newer work is gone" : ""));
        return damaged;
    }

    private boolean withLease() throws IOException, InterruptedException {
        Files.delete(scratch.resolve("page"));
        Files.delete(scratch.resolve("A.has-read"));
        input("1");
        hold("A");
        Process a = leased("A");
        processes.awaitFile(scratch.resolve("A.has-read"));
        say("   A has token 1 and has read edition 1");
        processes.freeze(a);
        say("   A is frozen, with all its processes; its lease is not renewed");
        input("2");
        Process b = leased("B");
        processes.awaitEnd(b);
        say("   A's lease expired. B got token 2 and published.");
        say("                       The page says: " + page());
        letGo("A");
        processes.thaw(Long.parseLong(Files.readString(scratch.resolve("A.pid")).strip()));
        processes.awaitFile(scratch.resolve("A.write-code"));
        String code = Files.readString(scratch.resolve("A.write-code")).strip();
        boolean refused = code.equals(Integer.toString(ExitCode.STALE)) && page().startsWith("edition 2");
        say("   A's job wakes up and writes with token 1: exit " + code
                + (refused ? ", refused: the page has seen token 2" : ""));
        say("                       The page says: " + page() + (refused ? "   <-- still the newer one" : ""));
        processes.thaw(a);
        int ended = processes.awaitEnd(a);
        say("   A's wrapper wakes up, finds its lease lost, and ends the job: exit " + ended);
        return refused && ended == ExitCode.LOST;
    }

    private Process leased(String run) throws IOException {
        String self = processes.self();
        String job = FENCED_JOB.formatted(self);
        return processes.shell(
                "exec " + self + " run page --quiet --wait 10s --ttl " + TTL + " --guard \"$DEMO/page\" -- sh -c '"
                        + job.replace("'", "'\\''") + "' job \"$1\"",
                run);
    }

    private void input(String edition) throws IOException {
        Files.writeString(scratch.resolve("input"), edition);
    }

    private void hold(String run) throws IOException {
        Files.createFile(scratch.resolve(run + ".hold"));
    }

    private void letGo(String run) throws IOException {
        Files.delete(scratch.resolve(run + ".hold"));
    }

    private String page() throws IOException {
        return Files.readString(scratch.resolve("page")).strip();
    }

    /** With {@code --json}, only the outcome is on stdout. */
    private void say(String line) {
        if (!json) {
            console.print(line);
            console.out().flush();
        }
    }
}
