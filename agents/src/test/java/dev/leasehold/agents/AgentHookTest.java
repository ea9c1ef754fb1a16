package dev.leasehold.agents;

import static dev.leasehold.agents.HookWorld.edit;
import static dev.leasehold.agents.HookWorld.problem;
import static dev.leasehold.agents.HookWorld.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.agents.HookEvent.Kind;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentHookTest {
    private static final HookVerdict ALLOWED = HookVerdict.allow();

    @TempDir
    Path directory;

    private HookWorld world;

    @BeforeEach
    void start() {
        world = new HookWorld(directory);
        world.write("a.txt", "one");
        world.write("b.txt", "one");
    }

    private LeaseSnapshot.State lease(String path) {
        return world.store.inspect(world.name(path)).orElseThrow().state();
    }

    @Test
    void theSecondSessionIsDeniedUntilTheFirstStops() {
        world.read("first", "a.txt");
        world.read("second", "a.txt");
        assertThat(world.before("first", "a.txt")).isEqualTo(ALLOWED);
        world.now = world.now.plusSeconds(90);

        assertThat(reason(world.before("second", "a.txt")))
                .contains(
                        "a.txt is being edited by claude session first on host since 2026-11-01T09:00:00Z (1m30s ago)")
                .contains("lasts another 8m30s")
                .contains("Do not change the file with shell commands either")
                .contains("Work on another file, try again later, or ask the user");

        world.stop("first");
        assertThat(world.before("second", "a.txt")).isEqualTo(ALLOWED);
    }

    @Test
    void aFileThatWasNotReadIsDeniedAndANewOneIsNot() {
        assertThat(reason(world.before("s", "a.txt"))).contains("you have not read it");
        assertThat(world.before("s", "new.txt")).isEqualTo(ALLOWED);
    }

    @Test
    void aFileThatChangedSinceItWasReadIsDeniedUntilItIsReadAgain() {
        world.read("s", "a.txt");
        world.write("a.txt", "a person was here");

        assertThat(reason(world.before("s", "a.txt"))).contains("has changed since you read it");
        assertThat(reason(world.before("s", "a.txt"))).contains("you have not read it");
        world.read("s", "a.txt");
        assertThat(world.before("s", "a.txt")).isEqualTo(ALLOWED);
    }

    @Test
    void aChangeBetweenTheHookAndTheReadCountsAsUnseen() {
        HookEvent.Read read = new HookEvent.Read(List.of("a.txt"));
        world.tell(Kind.BEFORE, "s", "", read);
        world.write("a.txt", "changed while it was read");
        world.tell(Kind.AFTER, "s", "", read);

        assertThat(reason(world.before("s", "a.txt"))).contains("has changed");
    }

    @Test
    void aReadThatFailedDoesNotCount() {
        HookEvent.Read read = new HookEvent.Read(List.of("a.txt"));
        world.tell(Kind.BEFORE, "s", "", read);
        world.tell(Kind.FAILED, "s", "", read);
        world.tell(Kind.AFTER, "s", "", read);

        assertThat(reason(world.before("s", "a.txt"))).contains("you have not read it");
    }

    @Test
    void ownEditsCountAsSeen() {
        world.read("s", "a.txt");
        world.before("s", "a.txt");
        world.write("a.txt", "two");
        assertThat(world.after("s", "a.txt")).isEqualTo(ALLOWED);

        assertThat(world.before("s", "a.txt")).isEqualTo(ALLOWED);
    }

    @Test
    void aDeletedFileIsReportedOnceAndMayThenBeCreated() throws IOException {
        world.read("s", "a.txt");
        Files.delete(world.root.resolve("a.txt"));

        assertThat(reason(world.before("s", "a.txt"))).contains("was deleted");
        assertThat(world.before("s", "a.txt")).isEqualTo(ALLOWED);
    }

    @Test
    void aPatchGetsAllFilesOrNone() {
        world.read("first", "b.txt");
        world.before("first", "b.txt");
        world.read("second", "a.txt");
        world.read("second", "b.txt");

        assertThat(reason(world.before("second", "a.txt", "b.txt"))).contains("b.txt is being edited");
        assertThat(lease("a.txt")).isEqualTo(LeaseSnapshot.State.RELEASED);
        world.stop("first");
        assertThat(world.before("second", "b.txt", "a.txt", "./a.txt")).isEqualTo(ALLOWED);
        assertThat(lease("a.txt")).isEqualTo(LeaseSnapshot.State.HELD);
    }

    @Test
    void aTakeoverIsSeenAtTheNextEditWithItsReason() {
        world.read("s", "a.txt");
        world.before("s", "a.txt");
        world.after("s", "a.txt");
        world.takeOver(world.name("a.txt"), "task 7 was reassigned");

        assertThat(reason(world.before("s", "a.txt")))
                .contains("was taken from you by supervisor")
                .contains("(takeover: \"task 7 was reassigned\")");
        assertThat(reason(world.before("s", "a.txt")))
                .contains("being edited by supervisor")
                .contains("task 7");
        world.now = world.now.plusSeconds(120);
        assertThat(reason(world.before("s", "a.txt"))).contains("you have not read it");
    }

    @Test
    void aTakeoverIsSeenAlsoAfterSomebodyElseHadTheFile() {
        world.read("s", "a.txt");
        world.before("s", "a.txt");
        world.takeOver(world.name("a.txt"), "reassigned");
        world.now = world.now.plusSeconds(120);
        world.read("other", "a.txt");
        world.before("other", "a.txt");
        world.stop("other");

        assertThat(reason(world.before("s", "a.txt")))
                .contains("was taken from you")
                .contains("reassigned");
    }

    @Test
    void aWriteAfterTheLeasePassedOnIsReportedWithTheVersionThatItReplaced() throws IOException {
        world.read("frozen", "a.txt");
        world.before("frozen", "a.txt");
        world.now = world.now.plus(Duration.ofMinutes(11));
        world.read("other", "a.txt");
        world.before("other", "a.txt");
        world.write("a.txt", "work of the other");
        assertThat(world.after("other", "a.txt")).isEqualTo(ALLOWED);
        world.write("a.txt", "late");

        String problem = problem(world.after("frozen", "a.txt"));
        assertThat(problem).contains("came too late").contains("passed to claude session other on host");
        String copy = problem.substring(problem.indexOf("kept at ") + 8, problem.indexOf(". Put back"));
        assertThat(Path.of(copy)).hasContent("work of the other");
        assertThat(reason(world.before("other", "a.txt"))).contains("has changed since you read it");
    }

    @Test
    void anEditThatWasOverwrittenIsNotAcknowledged() {
        world.read("s", "a.txt");
        HookEvent.Edit edit =
                new HookEvent.Edit(List.of(new HookEvent.FileEdit("a.txt", List.of("added line  \nsecond"), null)));
        world.tell(Kind.BEFORE, "s", "", edit);
        world.write("a.txt", "something else");

        assertThat(problem(world.tell(Kind.AFTER, "s", "", edit))).contains("your edit is not in a.txt");
        world.read("s", "a.txt");
        world.tell(Kind.BEFORE, "s", "", edit);
        world.write("a.txt", "one\r\nadded line\r\nsecond\r\n");
        assertThat(world.tell(Kind.AFTER, "s", "", edit)).isEqualTo(ALLOWED);
    }

    @Test
    void aSessionHandsAFileToItsSubagentAndBack() {
        world.read("s", "a.txt");
        world.before("s", "a.txt");
        world.after("s", "a.txt");

        assertThat(reason(world.tell(Kind.BEFORE, "s", "sub", edit("a.txt")))).contains("you have not read it");
        world.read("s", "sub", "a.txt");
        assertThat(world.tell(Kind.BEFORE, "s", "sub", edit("a.txt"))).isEqualTo(ALLOWED);
        assertThat(reason(world.before("s", "a.txt"))).contains("another agent of this session");
        world.write("a.txt", "by the subagent");
        world.tell(Kind.AFTER, "s", "sub", edit("a.txt"));

        assertThat(reason(world.before("s", "a.txt"))).contains("has changed since you read it");
        world.tell(Kind.AGENT_STOP, "s", "sub", null);
        world.read("s", "a.txt");
        assertThat(world.before("s", "a.txt")).isEqualTo(ALLOWED);
        world.stop("s");
        assertThat(lease("a.txt")).isEqualTo(LeaseSnapshot.State.RELEASED);
    }

    @Test
    void aStopKeepsTheFilesOfASubagentThatStillRuns() {
        world.read("s", "sub", "a.txt");
        world.tell(Kind.BEFORE, "s", "sub", edit("a.txt"));

        world.stop("s");
        assertThat(lease("a.txt")).isEqualTo(LeaseSnapshot.State.HELD);
        world.tell(Kind.AGENT_STOP, "s", "sub", null);
        assertThat(lease("a.txt")).isEqualTo(LeaseSnapshot.State.RELEASED);
    }

    @Test
    void anyToolCallRenewsTheLeases() {
        world.read("s", "a.txt");
        world.before("s", "a.txt");
        for (int i = 0; i < 5; i++) {
            world.now = world.now.plus(Duration.ofMinutes(6));
            world.tell(Kind.BEFORE, "s", "", new HookEvent.Other());
        }
        assertThat(lease("a.txt")).isEqualTo(LeaseSnapshot.State.HELD);
    }

    @Test
    void aCommandThatNamesADeniedFileIsRefusedWhileTheFileIsHeld() {
        world.read("first", "a.txt");
        world.before("first", "a.txt");
        world.read("second", "a.txt");
        assertThat(world.shell(Kind.BEFORE, "second", "sed -i s/a/b/ a.txt")).isEqualTo(ALLOWED);
        world.before("second", "a.txt");

        assertThat(reason(world.shell(Kind.BEFORE, "second", "cd sub && python -c \"open('../a.txt','w')\"")))
                .contains("the command names")
                .contains("session first");
        assertThat(world.shell(Kind.BEFORE, "second", "cat data.txt")).isEqualTo(ALLOWED);
        world.stop("first");
        assertThat(world.shell(Kind.BEFORE, "second", "sed -i s/a/b/ a.txt")).isEqualTo(ALLOWED);
    }

    @Test
    void filesThatACommandChangedAreReported() {
        world.read("s", "a.txt");
        world.read("s", "b.txt");
        world.shell(Kind.BEFORE, "s", "make format");
        world.write("a.txt", "formatted");

        assertThat(world.shell(Kind.AFTER, "s", "make format"))
                .asString()
                .contains("a.txt")
                .doesNotContain("b.txt")
                .contains("Read them again");
        assertThat(reason(world.before("s", "a.txt"))).contains("you have not read it");
    }

    @Test
    void anAgentWithoutAReadToolReadsByShell() {
        HookEvent.Shell cat = new HookEvent.Shell("sed -n '1,20p' 'a.txt' | head", true);
        world.tell(Kind.BEFORE, "s", "", cat);
        world.tell(Kind.AFTER, "s", "", cat);

        assertThat(world.before("s", "a.txt")).isEqualTo(ALLOWED);
    }

    @Test
    void everyToolCallOfAnAgentThatLostItsTaskIsRefusedWithTheReason() {
        LeaseName task = LeaseName.of("task-7");
        Acquisition.Granted granted = (Acquisition.Granted)
                world.store.acquire(task, AttemptId.of("attempt-1"), Holder.of("agent"), Duration.ofHours(1));
        world.task = granted.grant();
        assertThat(world.before("s", "new.txt")).isEqualTo(ALLOWED);
        world.takeOver(task, "alice goes on with it");

        assertThat(reason(world.tell(Kind.BEFORE, "s", "", new HookEvent.Other())))
                .contains("task-7")
                .contains("alice goes on with it");
        assertThat(reason(world.shell(Kind.BEFORE, "s", "git push"))).contains("alice goes on with it");
        assertThat(reason(world.tell(Kind.BEFORE, "s", "", new HookEvent.Read(List.of("a.txt")))))
                .contains("Stop now");
    }

    @Test
    void withoutTheStoreEditsAreDeniedAndReadsAreNot() {
        world.read("s", "a.txt");
        world.opener = () -> {
            throw new StoreUnavailableException("no route to host");
        };

        assertThat(reason(world.before("s", "a.txt"))).contains("did not answer: no route to host");
        assertThat(world.tell(Kind.BEFORE, "s", "", new HookEvent.Read(List.of("a.txt"))))
                .isEqualTo(ALLOWED);
    }

    @Test
    void aLostRecordOfTheSessionLocksNobodyOut() throws IOException {
        world.read("s", "a.txt");
        world.before("s", "a.txt");
        try (var records = Files.list(world.state.resolve("sessions"))) {
            records.forEach(record -> record.toFile().delete());
        }

        assertThat(reason(world.before("s", "a.txt"))).contains("you have not read it");
        world.read("s", "a.txt");
        assertThat(world.before("s", "a.txt")).isEqualTo(ALLOWED);
    }

    @Test
    void namesOfFilesThatAreGoneAreForgotten() throws IOException {
        String odd = "dir/ö [x] \u4e2d.txt";
        world.write(odd, "x");
        for (String path : List.of("a.txt", "b.txt", odd)) {
            world.read("s", path);
            world.before("s", path);
            world.after("s", path);
        }
        Files.delete(world.root.resolve("a.txt"));
        world.stop("s");
        assertThat(world.store.inspect(world.name("a.txt"))).isEmpty();

        Files.delete(world.root.resolve(odd));
        assertThat(world.store.inspect(world.name(odd))).isPresent();
        FencingToken last =
                world.store.inspect(world.name(odd)).orElseThrow().lease().token();
        AgentHousekeeping.forgetGoneFiles(world.store, new DiskWorkspace(world.state), world.root);
        assertThat(world.store.inspect(world.name(odd))).isEmpty();
        assertThat(world.store.inspect(world.name("b.txt"))).isPresent();
        assertThat(world.store.floor()).as("its tokens are not issued again").isGreaterThanOrEqualTo(last.value());
    }

    @Test
    void anotherWorktreeOfTheRepositoryIsWarnedOf() throws IOException {
        Path other = Files.createDirectories(directory.resolve("other")).toRealPath();
        Path own = Files.createDirectories(world.root.resolve(".git/worktrees/other"));
        Files.writeString(own.resolve("commondir"), "../..\n");
        Files.writeString(other.resolve(".git"), "gitdir: " + own + "\n");
        world.acrossWorktrees = true;
        world.before("s", "new.txt");

        HookEvent event = new HookEvent(Kind.BEFORE, "x", "second", "", other.toString(), "c", edit("new.txt"));
        assertThat(world.hook().handle(event)).asString().contains("also being edited in another worktree");
        world.stop("s");
        assertThat(world.hook().handle(new HookEvent(Kind.BEFORE, "x", "third", "", other.toString(), "c", edit("x"))))
                .isEqualTo(ALLOWED);
    }
}
