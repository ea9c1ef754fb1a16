package dev.leasehold.fence;

import static dev.leasehold.fence.FencedFileKillTest.grant;
import static dev.leasehold.fence.FencedFileKillTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.crash.ActorProcess;
import dev.leasehold.fence.InPlaceFence.Entry;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes on one log, full disks, and targets that are written in place. */
class TargetsUnderStressTest {
    private static final int RECORDS = 60;

    @TempDir
    Path root;

    @Test
    void recordsOfSeveralProcessesAreWholeAndNoneIsLost() throws Exception {
        Path log = root.resolve("log");
        List<String> expected = new ArrayList<>();
        try (ActorProcess a = ActorProcess.start();
                ActorProcess b = ActorProcess.start();
                ActorProcess c = ActorProcess.start()) {
            List<ActorProcess> actors = List.of(a, b, c);
            for (int i = 0; i < RECORDS; i++) {
                for (int writer = 0; writer < actors.size(); writer++) {
                    String record = writer + "-" + i + "-" + "x".repeat(i % 10 == 0 ? 5000 : i * 7);
                    actors.get(writer).send("append " + log + " " + text(4) + " " + record);
                    expected.add(record);
                }
            }
            for (int i = 0; i < RECORDS; i++) {
                for (ActorProcess actor : actors) {
                    assertThat(actor.hear()).isEqualTo("Admitted[token=4]");
                }
            }
        }
        List<String> found = Files.readAllLines(log);
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        for (int writer = 0; writer < 3; writer++) {
            String mine = writer + "-";
            assertThat(found.stream().filter(line -> line.startsWith(mine)).toList())
                    .as("records of one process in their order")
                    .isEqualTo(expected.stream()
                            .filter(line -> line.startsWith(mine))
                            .toList());
        }
    }

    @Test
    @Requires("unshare")
    void fullDiskLeavesTheOldTreeAndLosesNoRecord() throws Exception {
        Path disk = Files.createDirectories(root.resolve("disk"));
        Path filler = disk.resolve("filler");
        try (ActorProcess actor = ActorProcess.start("unshare", "--user", "--map-root-user", "--mount")) {
            assertThat(actor.ask("exec mount -t tmpfs -o size=800k tmpfs " + disk))
                    .isEqualTo("0 ");
            Path tree = Files.createDirectories(root.resolve("tree"));
            Files.writeString(tree.resolve("page"), "x".repeat(9000));
            String publish = "publish " + disk.resolve("site") + " " + text(4) + " " + tree;
            String append = "append " + disk.resolve("log") + " " + text(4) + " ";
            assertThat(actor.ask(publish)).startsWith("Admitted");
            assertThat(actor.ask(append + "x".repeat(4080))).startsWith("Admitted");
            assertThat(actor.ask("fill " + filler)).startsWith("filled");

            Files.writeString(tree.resolve("page"), "y".repeat(9000));
            String second = publish.replace(text(4), text(5));
            assertThat(actor.ask(second)).contains("nothing was written").contains("is full");
            assertThat(actor.ask("exec ls " + disk.resolve(".site.leasehold")))
                    .startsWith("0 v-1")
                    .doesNotContain("s-");
            assertThat(actor.ask(append + "x".repeat(4000))).contains("is full").contains("nothing was written");
            String longRecord = "z".repeat(9000);
            assertThat(actor.ask(append + longRecord))
                    .contains("nothing was written")
                    .contains("is full");

            assertThat(actor.ask("delete " + filler)).isEqualTo("true");
            assertThat(actor.ask(second)).startsWith("Admitted");
            assertThat(actor.ask(append + longRecord)).startsWith("Admitted");
            assertThat(actor.ask("exec wc -l " + disk.resolve("log"))).startsWith("0 2 ");
        }
    }

    @Test
    void writeInPlaceExcludesOtherWritersAndACrashLeavesAMark() throws Exception {
        Path page = root.resolve("page");
        InPlaceFence fence = InPlaceFence.at(page);
        try (ActorProcess other = ActorProcess.start()) {
            Entry.Entered entered = (Entry.Entered) fence.enter(grant(4));
            Files.writeString(page, "half");
            assertThat(other.ask("once " + page + " " + text(5) + " five"))
                    .contains("is held by process " + ProcessHandle.current().pid())
                    .contains("token 4");
            entered.work().close();
        }
        assertThat(FencedPath.at(page).halfWritten().orElseThrow()).contains("may be half written", "token 4");
        assertThat(FencedPath.at(page).raise(grant(5))).isInstanceOf(Admission.Admitted.class);
        assertThat(fence.enter(grant(4))).isInstanceOf(Entry.Refused.class);
        Entry.Entered next = (Entry.Entered) fence.enter(grant(5));
        assertThat(next.work().halfWritten()).isPresent();
        next.work().finished();
        next.work().close();
        assertThat(FencedPath.at(page).halfWritten()).isEmpty();
    }

    @Test
    void wholeReplacementEndsAHalfWrittenState() {
        Path page = root.resolve("page");
        ((Entry.Entered) InPlaceFence.at(page).enter(grant(4))).work().close();
        assertThat(FencedPath.at(page).halfWritten()).isPresent();
        assertThat(FencedFile.at(page).admit(grant(4), Content.of("whole"))).isInstanceOf(Admission.Admitted.class);
        assertThat(FencedPath.at(page).halfWritten()).isEmpty();
        FencedLog.at(root.resolve("log")).admit(grant(4), Content.of("record"));
        assertThatThrownBy(() -> InPlaceFence.at(root.resolve("log")).enter(grant(4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leasehold append");
    }

    /** Enters as a program that starts this worker and dies. */
    private static void leaveWorkTo(Process worker, Path folder) {
        Entry.Entered entered = (Entry.Entered) InPlaceFence.at(folder).enter(grant(4));
        entered.work().doneBy(worker.toHandle());
        entered.work().close();
    }

    /** The program that held the lock is gone, but a process that it started still writes. */
    @Test
    void workerOfADeadHolderKeepsOthersOut() throws Exception {
        Path folder = Files.createDirectory(root.resolve("folder"));
        Process worker = new ProcessBuilder("sleep", "60").start();
        try {
            leaveWorkTo(worker, folder);
            InPlaceFence next = InPlaceFence.at(folder).waitingAtMost(Duration.ofMillis(200));
            assertThatThrownBy(() -> next.enter(grant(5)))
                    .isInstanceOf(TargetUnavailableException.class)
                    .hasMessageContaining("process " + worker.pid())
                    .hasMessageContaining("nothing was changed");
        } finally {
            worker.destroyForcibly().waitFor();
        }
        assertThat(InPlaceFence.at(folder).enter(grant(5))).isInstanceOfSatisfying(Entry.Entered.class, entered -> {
            entered.work().finished();
            entered.work().close();
        });
    }

    /**
     * The situation after a supervisor was killed: another process of its session is still alive.
     */
    @Test
    @Requires("setsid")
    void processInTheSessionOfTheWorkerKeepsOthersOut() throws Exception {
        Path folder = Files.createDirectory(root.resolve("folder"));
        Path second = root.resolve("second");
        Process worker = new ProcessBuilder(
                        "setsid",
                        "sh",
                        "-c",
                        "sleep 60 & echo $! >" + second + ".new; mv " + second + ".new " + second + "; wait")
                .start();
        try {
            for (int i = 0; i < 3000 && !Files.exists(second); i++) {
                Thread.sleep(10);
            }
            ProcessHandle other = ProcessHandle.of(
                            Long.parseLong(Files.readString(second).strip()))
                    .orElseThrow();
            leaveWorkTo(worker, folder);
            worker.destroyForcibly().waitFor();
            InPlaceFence next = InPlaceFence.at(folder).waitingAtMost(Duration.ofMillis(200));
            assertThatThrownBy(() -> next.enter(grant(5)))
                    .isInstanceOf(TargetUnavailableException.class)
                    .hasMessageContaining("nothing was changed");
            other.destroyForcibly();
            InPlaceFence later = InPlaceFence.at(folder).waitingAtMost(Duration.ofSeconds(20));
            assertThat(later.enter(grant(5))).isInstanceOfSatisfying(Entry.Entered.class, entry -> entry.work()
                    .close());
        } finally {
            worker.descendants().forEach(ProcessHandle::destroyForcibly);
            worker.destroyForcibly();
        }
    }

    /** The start time of a process seems different after the clock was set. */
    @Test
    void workerIsIdentifiedIndependentlyOfTheClock() throws Exception {
        Path folder = Files.createDirectory(root.resolve("folder"));
        Process worker = new ProcessBuilder("sleep", "60").start();
        try {
            leaveWorkTo(worker, folder);
            String stat = Files.readString(Path.of("/proc/" + worker.pid() + "/stat"));
            String ticks = stat.substring(stat.lastIndexOf(')')).split(" ", -1)[20];
            String boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            String fence = TwoCopyFile.peek(
                    root.resolve(".folder.leasehold-fence"), TwoCopyFile.Size.SMALL, Duration.ofSeconds(1));
            assertThat(fence).contains("unfinished=4 " + worker.pid() + " " + ticks + " linux:" + boot + ":");
        } finally {
            worker.destroyForcibly();
        }
    }

    @Test
    void outcomeOfACallInterruptedByACrashIsUnknownToLaterRuns() throws Exception {
        String open = "open " + root.resolve("store");
        String grant;
        try (ActorProcess dying = ActorProcess.start()) {
            dying.ask(open);
            grant = dying.ask("acquire job attempt-0001 60000").substring(8);
            assertThat(dying.ask("effect " + grant + " first sent")).contains("BestEffort", "sent");
            dying.send("effect " + grant + " second die");
            assertThat(dying.hear()).as("no answer from a dead process").isNull();
        }
        try (ActorProcess next = ActorProcess.start()) {
            next.ask(open);
            assertThat(next.ask("effect " + grant + " first again"))
                    .startsWith("MadeBefore")
                    .contains("sent");
            assertThat(next.ask("effect " + grant + " second again")).startsWith("Unknown");
            assertThat(next.ask("effect " + grant + " third sent")).startsWith("BestEffort");
        }
    }
}
