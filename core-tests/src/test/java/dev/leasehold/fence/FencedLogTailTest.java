package dev.leasehold.fence;

import static dev.leasehold.fence.FencedFileKillTest.grant;
import static dev.leasehold.fence.FencedFileKillTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.crash.ActorProcess;
import dev.leasehold.crash.DurabilityOrderTest;
import dev.leasehold.crash.Strace;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The end of a log after a power cut, after writes of other programs, and after a rotation. */
class FencedLogTailTest extends WithLog {
    /** Short records are not synced in the log itself, so a power cut may lose any part of them. */
    @Test
    void acknowledgedRecordsSurviveALossOfTheLogsUnsyncedEnd() throws IOException {
        append("one");
        append("two");
        append("three\nof three lines\nto its end");
        byte[] whole = Files.readAllBytes(path);
        for (int cut = 0; cut < whole.length; cut++) {
            truncate(path, cut);
            assertThat(log.raise(grant(1))).isInstanceOf(Admission.Admitted.class);
            assertThat(path).as("cut at %s", cut).hasBinaryContent(whole);
        }
    }

    @Test
    void manyRecordsOfAllSizesStayInOrder() throws IOException {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String record = i + ":" + "x".repeat(i * 37 * (i % 7 == 0 ? 9 : 1));
            append(record);
            expected.add(record);
        }
        assertThat(Files.readAllLines(path)).isEqualTo(expected);
        assertThat(filesInRoot()).containsExactlyInAnyOrder("log", ".log.leasehold-fence");
    }

    /**
     * An append usually needs one sync, that of the fence. The fence holds the record until the log
     * does.
     */
    @Test
    @Requires("strace")
    void appendOfAShortRecordNeedsOneSync() throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            String append = "append " + path + " " + text(4) + " record";
            actor.ask(append);
            List<Strace.Call> calls = DurabilityOrderTest.traced(actor, append, root.resolve("trace"));
            DurabilityOrderTest.inOrder(
                    calls,
                    DurabilityOrderTest.write("kind=log"),
                    DurabilityOrderTest.sync("leasehold-fence"),
                    DurabilityOrderTest.write("record"),
                    DurabilityOrderTest.write("Admitted"));
            assertThat(calls).filteredOn(Strace.Call::isSync).hasSize(1);
        }
    }

    @Test
    void linesOfOtherProgramsAreKeptAndAnUnfinishedLineIsEnded() throws IOException {
        append("ours");
        Files.writeString(path, "theirs, whole\ntheirs, open", StandardOpenOption.APPEND);
        append("ours again");
        append("and again");
        assertThat(path).hasContent("ours\ntheirs, whole\ntheirs, open\nours again\nand again\n");
    }

    @Test
    void logThatWasMovedAwayIsStartedAgain() throws IOException {
        append("old");
        Files.move(path, root.resolve("log.1"));
        assertThat(log.raise(grant(1))).isInstanceOf(Admission.Admitted.class);
        assertThat(path).doesNotExist();
        append("new");
        assertThat(path).hasContent("new\n");
        Files.move(path, root.resolve("log.2"));
        Files.createFile(path);
        append("newer");
        assertThat(path).hasContent("newer\n");
        assertThat(root.resolve("log.1")).hasContent("old\n");
        assertThat(root.resolve("log.2")).hasContent("new\n");
    }

    @Test
    void longLogThatWasEmptiedInPlaceIsStartedAgain() throws IOException {
        append("x".repeat(10_000));
        append("short");
        truncate(path, 0);
        append("after");
        assertThat(path).hasContent("after\n");
    }

    @Test
    void fenceIsNotMoreReadableThanTheLog() throws IOException {
        append("public");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        append("secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(".log.leasehold-fence"))))
                .isEqualTo("rw-------");
    }

    @Test
    void emptyRecordAndAnotherKindOfTargetAreRefused() throws IOException {
        assertThatThrownBy(() -> log.admit(grant(1), Content.of("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("empty");
        assertThat(filesInRoot()).isEmpty();
        append("record");
        assertThatThrownBy(() -> FencedFile.at(path).admit(grant(1), Content.of("whole")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leasehold append");
        assertThat(path).hasContent("record\n");
        assertThat(filesInRoot()).containsExactlyInAnyOrder("log", ".log.leasehold-fence");
    }

    private List<String> filesInRoot() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
