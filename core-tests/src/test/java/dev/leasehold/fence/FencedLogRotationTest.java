package dev.leasehold.fence;

import static dev.leasehold.fence.FencedFileKillTest.grant;
import static dev.leasehold.fence.FencedFileKillTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.crash.ActorProcess;
import dev.leasehold.crash.DurabilityOrderTest;
import dev.leasehold.crash.Strace;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Other programs rename, copy, empty, delete and create the log at any time, and the power fails
 * soon after.
 */
class FencedLogRotationTest extends WithLog {
    private static final String OTHERS = "other program, line 1\nother program, line 2\nother program, line 3\n";

    private void raise(long token) {
        assertThat(log.raise(grant(token))).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void acknowledgedRecordsAreInSomeFileWhileTheLogIsRotated() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<String> failures = new ArrayList<>();
        Thread rotation = new Thread(() -> {
            for (int i = 0; !over.get(); i++) {
                try {
                    Files.move(path, root.resolve("log." + i), StandardCopyOption.ATOMIC_MOVE);
                    Thread.sleep(1);
                } catch (NoSuchFileException e) {
                    Thread.onSpinWait();
                } catch (IOException | InterruptedException e) {
                    failures.add(e.toString());
                }
            }
        });
        rotation.start();
        List<String> acknowledged = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            String record = "record-" + i + (i % 40 == 0 ? "x".repeat(5000) : "");
            try {
                append(record);
                acknowledged.add(record);
            } catch (TargetUnavailableException e) {
                // On a busy machine the log may be moved away each time before it is opened. Then
                // nothing was written.
                assertThat(e).hasMessageContaining("nothing was written");
            }
        }
        over.set(true);
        rotation.join();
        assertThat(failures).isEmpty();
        assertThat(acknowledged).isNotEmpty();
        assertThat(linesOfAllLogs()).containsExactlyInAnyOrderElementsOf(acknowledged);
    }

    /** Deterministic: the writer is stopped after the decision, before it writes the record. */
    @Test
    @Requires("strace")
    void logMovedBetweenDecisionAndWriteLosesNoRecord() throws Exception {
        append("first");
        try (ActorProcess actor = ActorProcess.start()) {
            actor.ask("append " + root.resolve("warm") + " " + text(1) + " warm");
            actor.ask("append " + root.resolve("warm") + " " + text(1) + " warm");
            Strace.Call decision = new Strace.Call("fdatasync", "", 1);
            try (Strace trace = Strace.interfere(actor.ask("thread"), root.resolve("trace"), decision, "STOP")) {
                actor.send("append " + path + " " + text(1) + " second");
                FrozenWriterTest.awaitFrozen(actor.pid());
                Files.move(path, root.resolve("log.1"));
                actor.thaw();
                assertThat(actor.hear()).startsWith("Admitted");
            }
        }
        assertThat(linesOfAllLogs()).containsExactlyInAnyOrder("first", "second");
        append("third");
        assertThat(linesOfAllLogs()).containsExactlyInAnyOrder("first", "second", "third");
    }

    @Test
    void linesOfOtherProgramsSurviveCopyAndTruncate() throws IOException {
        Files.writeString(path, "theirs\n");
        append("ours");
        Files.copy(path, root.resolve("log.1"));
        truncate(path, 0);
        Files.writeString(path, OTHERS, StandardOpenOption.APPEND);
        raise(2);
        assertThat(path).hasContent(OTHERS);
        assertThat(log.admit(grant(2), Content.of("ours again"))).isInstanceOf(Admission.Admitted.class);
        assertThat(path).hasContent(OTHERS + "ours again\n");
    }

    /**
     * The file system gave the inode of the old log to the new one, or to a file that is not a log.
     */
    @Test
    void fileWithTheInodeOfADeletedLogIsNotChanged() throws IOException {
        for (String first : List.of("", "theirs\n")) {
            Files.writeString(path, first);
            append("ours");
            Files.delete(path);
            Files.writeString(path, OTHERS);
            setInodeInFence(inode(path));
            raise(2);
            assertThat(path).hasContent(OTHERS);

            Path unrelated = Files.createFile(root.resolve("unrelated"));
            setInodeInFence(inode(unrelated));
            raise(2);
            assertThat(unrelated).isEmptyFile();
            Files.delete(unrelated);
            Files.delete(path);
            Files.delete(root.resolve(".log.leasehold-fence"));
        }
    }

    @Test
    void recordThatAPowerCutDamagedInTheRotatedLogIsCompletedThere() throws IOException {
        append("one");
        append("two");
        append("three");
        Path rotated = Files.move(path, root.resolve("log.1"));
        for (int cut : new int[] {13, 9, 6, 4}) {
            afterAPowerCut();
            truncate(rotated, cut);
            String fence = fenceText();
            raise(1);
            assertThat(linesOfAllLogs()).as("cut at %s", cut).containsExactly("one", "two", "three");
            edit(now -> fence);
        }
    }

    @Test
    void recordOfAMissingLogIsWrittenAgainAfterAPowerCut() throws IOException {
        append("one");
        append("two");
        Path archive = Files.createDirectory(root.resolve("archive"));
        Files.move(path, archive.resolve("log.1"));
        raise(1);
        assertThat(path).as("no restart since then, so the record was written").doesNotExist();
        append("three");
        Files.move(path, archive.resolve("log.2"));
        Files.writeString(path, OTHERS);
        afterAPowerCut();
        raise(2);
        assertThat(path).hasContent(OTHERS + "three\n");
        raise(3);
        assertThat(path).as("written once").hasContent(OTHERS + "three\n");
    }

    /** Some file systems leave zeros where data was not durable. They are not removed. */
    @Test
    void unexpectedBytesAreKeptAndTheRecordFollows() throws IOException {
        append("one");
        append("two");
        byte[] zeros = new byte[4];
        Files.write(path, "one\n".getBytes(StandardCharsets.UTF_8));
        Files.write(path, zeros, StandardOpenOption.APPEND);
        afterAPowerCut();
        raise(2);
        assertThat(path).hasContent("one\n\0\0\0\0\ntwo\n");
    }

    @Test
    @Requires("strace")
    void rotatedFileIsDurableBeforeTheFenceForgetsIt() throws Exception {
        append("first");
        Files.move(path, root.resolve("log.1"));
        try (ActorProcess actor = ActorProcess.start()) {
            String append = "append " + path + " " + text(1) + " second";
            List<Strace.Call> calls = DurabilityOrderTest.traced(actor, append, root.resolve("trace"));
            DurabilityOrderTest.inOrder(
                    calls,
                    DurabilityOrderTest.sync("log.1"),
                    DurabilityOrderTest.write("kind=log"),
                    DurabilityOrderTest.sync("leasehold-fence"),
                    DurabilityOrderTest.sync(root + ">"),
                    DurabilityOrderTest.write("kind=log"),
                    DurabilityOrderTest.sync("leasehold-fence"),
                    DurabilityOrderTest.write("Admitted"));
        }
    }

    /**
     * The writer decided the write and died. The retry answers "already written" only if the record
     * is in a log.
     */
    @Test
    @Requires("strace")
    void onceRecordIsWrittenBeforeItsRetryIsAnswered() throws Exception {
        append("first");
        try (ActorProcess actor = ActorProcess.start()) {
            String warm = "append-once " + root.resolve("warm") + " ";
            actor.ask(warm + text(1) + " warm");
            actor.ask(warm + text(2) + " warm");
            Strace.Call decision = new Strace.Call("fdatasync", "", 1);
            try (Strace trace = Strace.interfere(actor.ask("thread"), root.resolve("trace"), decision, "STOP")) {
                actor.send("append-once " + path + " " + text(2) + " second");
                FrozenWriterTest.awaitFrozen(actor.pid());
                actor.kill();
            }
        }
        Path archive = Files.createDirectory(root.resolve("archive"));
        Files.move(path, archive.resolve("log.1"));
        Admission again = log.admitOnce(grant(2), Content.of("second"));
        assertThat(again).isInstanceOfAny(Admission.AlreadyWritten.class, Admission.Admitted.class);
        assertThat(path).hasContent("second\n");
        Files.move(path, archive.resolve("log.2"));
        assertThat(log.admitOnce(grant(2), Content.of("second"))).isInstanceOf(Admission.AlreadyWritten.class);
        assertThat(path).as("the record was written and moved with its log").doesNotExist();
    }

    @Test
    void appendingContinuesAfterAnObstacleAtThePathOfTheLogIsGone() throws Exception {
        append("one");
        Files.move(path, root.resolve("log.1"));
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        try (ActorProcess actor = ActorProcess.start()) {
            assertThat(actor.ask("append " + path + " " + text(1) + " two"))
                    .contains("not a regular file")
                    .contains("nothing was written");
        }
        Files.delete(path);
        raise(2);
        assertThat(log.admit(grant(2), Content.of("two"))).isInstanceOf(Admission.Admitted.class);
        assertThat(linesOfAllLogs()).containsExactlyInAnyOrder("one", "two");
        Files.delete(path);
        Files.createDirectory(path);
        assertThat(FencedPath.at(path).raise(grant(3))).isInstanceOf(Admission.Admitted.class);
    }

    /**
     * After a power cut it is unknown which records were acknowledged: none is dropped, and writers
     * are not locked out.
     */
    @Test
    void recordsThatCannotYetBeWrittenAgainAreKept() throws IOException {
        append("one");
        append("two");
        Files.delete(path);
        Files.createDirectory(path);
        afterAPowerCut();
        assertThat(FencedPath.at(path).raise(grant(2))).isInstanceOf(Admission.Admitted.class);
        assertThat(FencedPath.at(path).raise(grant(3))).isInstanceOf(Admission.Admitted.class);
        Files.delete(path);
        assertThat(log.admit(grant(3), Content.of("three"))).isInstanceOf(Admission.Admitted.class);
        assertThat(path).hasContent("one\ntwo\nthree\n");
    }

    /** A writer that can read neither the directory nor the rotated file starts a new log. */
    @Test
    @Requires("setpriv")
    void appendingContinuesIfTheRotatedFileCannotBeOpened() throws Exception {
        append("one");
        Path rotated = Files.move(path, root.resolve("log.1"));
        Files.setPosixFilePermissions(rotated, Set.of());
        try (ActorProcess actor = ActorProcess.start("setpriv", "--inh-caps=-all", "--bounding-set=-all")) {
            assertThat(actor.ask("append " + path + " " + text(1) + " two")).startsWith("Admitted");
        }
        assertThat(path).hasContent("two\n");
    }

    private List<String> linesOfAllLogs() throws IOException {
        List<String> lines = new ArrayList<>();
        try (var files = Files.newDirectoryStream(root, "log*")) {
            for (Path file : files) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    private static long inode(Path file) throws IOException {
        return (Long) Files.getAttribute(file, "unix:ino");
    }

    private void setInodeInFence(long inode) throws IOException {
        edit(fence -> fence.replaceFirst("(?m)^pending=\\d+ ", "pending=" + inode + " "));
    }

    /**
     * Simulates a restart of the system since the last write: data that was not synced may be gone.
     */
    private void afterAPowerCut() throws IOException {
        edit(fence -> fence.replaceFirst("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "of-before-the-power-cut"));
    }

    private String fenceText() throws IOException {
        return TwoCopyFile.peek(root.resolve(".log.leasehold-fence"), TwoCopyFile.Size.SMALL, Duration.ofSeconds(1));
    }

    private void edit(UnaryOperator<String> change) throws IOException {
        try (TwoCopyFile fence = TwoCopyFile.open(
                root.resolve(".log.leasehold-fence"), TwoCopyFile.Size.SMALL, "test", Duration.ofSeconds(1))) {
            fence.replace(change.apply(fence.text()));
        }
    }
}
