package dev.leasehold.agents;

import static dev.leasehold.agents.HookWorld.edit;
import static dev.leasehold.agents.HookWorld.problem;
import static dev.leasehold.agents.HookWorld.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.agents.HookEvent.Kind;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the hook does when its store, its record or the disk fails, or the world changes under it. */
class AgentHookFailureTest {
    private static final HookVerdict ALLOWED = HookVerdict.allow();
    private static final HookEvent.Read READ = new HookEvent.Read(List.of("a.txt"));

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

    private void takeTheStoreAway() {
        world.opener = () -> {
            throw new StoreUnavailableException("no route to host");
        };
    }

    @Test
    void withoutARecordTheAgentMayLookAndNotEdit() throws IOException {
        // As on a full disk: the directory of the records cannot be made.
        Files.writeString(world.state, "not a directory");

        assertThat(world.tell(Kind.BEFORE, "s", "", READ)).asString().contains("cannot be kept");
        assertThat(world.tell(Kind.BEFORE, "s", "", new HookEvent.Other())).isInstanceOf(HookVerdict.Allow.class);
        assertThat(reason(world.before("s", "new.txt")))
                .contains("cannot be kept")
                .contains("--state");
        assertThat(reason(world.shell(Kind.BEFORE, "s", "make"))).contains("cannot be kept");
        Files.delete(world.state);
        assertThat(reason(world.before("s", "a.txt")))
                .as("the read does not count")
                .contains("you have not read it");
    }

    @Test
    void withoutTheStoreAnAgentUnderALeaseOnlyReads() {
        LeaseName task = LeaseName.of("task-7");
        world.task = ((Acquisition.Granted)
                        world.store.acquire(task, AttemptId.of("attempt-1"), Holder.of("agent"), Duration.ofHours(1)))
                .grant();
        takeTheStoreAway();

        assertThat(world.tell(Kind.BEFORE, "s", "", READ)).isInstanceOf(HookVerdict.Allow.class);
        assertThat(reason(world.tell(Kind.BEFORE, "s", "", new HookEvent.Other())))
                .contains("no route to host");
    }

    @Test
    void aStoreThatGoesAwayAfterThePermissionLeavesTheEditUnacknowledged() {
        world.read("s", "a.txt");
        assertThat(world.before("s", "a.txt")).isEqualTo(ALLOWED);
        world.write("a.txt", "two");
        takeTheStoreAway();

        assertThat(problem(world.after("s", "a.txt")))
                .contains("no route to host")
                .contains("read the file again");
        assertThat(reason(world.before("s", "a.txt"))).contains("no route to host");
        world.opener = () -> world.store;
        assertThat(reason(world.before("s", "a.txt"))).contains("has changed since you read it");
        world.read("s", "a.txt");
        assertThat(world.before("s", "a.txt")).isEqualTo(ALLOWED);
    }

    @Test
    void aLeaseThatCannotBeReleasedDoesNotKeepTheOthers() {
        world.before("s", "x.txt");
        world.before("s", "y.txt");
        world.write("x.txt", "x");
        world.write("y.txt", "y");
        world.opener = () -> new ForwardingLeaseStore(world.store) {
            @Override
            public Release release(Grant grant, Duration minHold) {
                if (grant.name().value().endsWith("x.txt")) {
                    throw new StoreUnavailableException("no answer");
                }
                return super.release(grant, minHold);
            }
        };

        assertThat(problem(world.stop("s"))).contains("no answer");
        assertThat(lease("x.txt")).isEqualTo(LeaseSnapshot.State.HELD);
        assertThat(lease("y.txt")).isEqualTo(LeaseSnapshot.State.RELEASED);
    }

    @Test
    void aRepositoryThatIsMadeAroundAFileGivesItAnotherLease() throws IOException {
        Files.delete(world.root.resolve(".git"));
        world.read("first", "a.txt");
        assertThat(world.before("first", "a.txt")).isEqualTo(ALLOWED);
        world.write("a.txt", "two");
        Files.createDirectory(world.root.resolve(".git"));

        assertThat(problem(world.after("first", "a.txt"))).contains("has another name");
        world.read("second", "a.txt");
        assertThat(world.before("second", "a.txt")).isEqualTo(ALLOWED);
        world.read("first", "a.txt");
        assertThat(reason(world.before("first", "a.txt"))).contains("session second");
    }

    @Test
    void aSessionMovesToTheLeaseOfTheNewRepository() throws IOException {
        Files.delete(world.root.resolve(".git"));
        world.read("first", "a.txt");
        world.before("first", "a.txt");
        world.after("first", "a.txt");
        Files.createDirectory(world.root.resolve(".git"));

        assertThat(world.before("first", "a.txt")).isEqualTo(ALLOWED);
        assertThat(lease("a.txt")).isEqualTo(LeaseSnapshot.State.HELD);
        world.read("second", "a.txt");
        assertThat(reason(world.before("second", "a.txt"))).contains("session first");
    }

    /** The version from before the file was gone must not pass for the last one. */
    @Test
    void theLastVersionOfAFileThatWasGoneIsTheNewOne() throws IOException {
        for (int i = 0; i < 3; i++) {
            world.read("s", "a.txt");
            world.before("s", "a.txt");
            world.write("a.txt", "version " + i);
            world.after("s", "a.txt");
            world.stop("s");
        }
        Files.delete(world.root.resolve("a.txt"));
        AgentHousekeeping.forgetGoneFiles(world.store, new DiskWorkspace(world.state), world.root);
        assertThat(world.store.inspect(world.name("a.txt"))).isEmpty();

        world.before("t", "a.txt");
        world.write("a.txt", "new");
        assertThat(world.after("t", "a.txt")).isEqualTo(ALLOWED);
        world.write("a.txt", "by a late writer");
        world.read("t", "a.txt");
        HookVerdict told = world.before("t", "a.txt");
        assertThat(told).asString().contains("differs from what claude session t");
        String copy = told.toString().replaceAll("(?s).*kept at ([^\\],]*).*", "$1");
        assertThat(Path.of(copy)).hasContent("new");
    }

    @Test
    void theFirstTouchOfAFileIsOneCallToTheStore() {
        List<String> calls = new ArrayList<>();
        LeaseStore counted = (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, args) -> {
                    calls.add(method.getName());
                    try {
                        return method.invoke(world.store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        world.opener = () -> counted;

        assertThat(world.before("s", "new.txt")).isEqualTo(ALLOWED);
        assertThat(calls).containsExactly("acquire");
        calls.clear();
        assertThat(world.tell(Kind.BEFORE, "s", "", edit("new.txt"))).isEqualTo(ALLOWED);
        assertThat(calls).containsExactly("renew");
    }
}
