package dev.leasehold.crash;

import dev.leasehold.crash.Strace.Call;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * This test cannot cut the power, but it can check the order of writes and syncs: everything on
 * which an answer depends is synced before the answer.
 */
@Requires("strace")
public class DurabilityOrderTest {
    private static final String ONE = " lh1,1,attempt-0001,store-0001,page one";
    private static final String TWO = " lh1,2,attempt-0002,store-0001,page two";

    @TempDir
    Path root;

    private Path page;

    @BeforeEach
    void place() throws IOException {
        page = Files.createDirectories(root.resolve("files")).resolve("page");
    }

    @Test
    void writeSyncsContentFenceAndDirectoryInThisOrder() throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            actor.ask("once " + page + ONE);
            List<Call> calls = traced(actor, "once " + page + TWO);
            inOrder(
                    calls,
                    write("leasehold-staged"),
                    sync("leasehold-staged"),
                    write("raised=2"),
                    sync("leasehold-fence"),
                    call("rename", "leasehold-staged"),
                    sync(page.getParent() + ">"),
                    write("Admitted"));
        }
    }

    @Test
    void raisedFenceIsSyncedBeforeTheAnswer() throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            actor.ask("once " + page + ONE);
            List<Call> calls = traced(actor, "raise " + page + TWO.replace(" two", ""));
            inOrder(calls, write("raised=2"), sync("leasehold-fence"), write("Admitted"));
        }
    }

    @Test
    void newFenceIsWholeAndDurable() throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            List<Call> calls = traced(actor, "raise " + page + ONE.replace(" one", ""));
            inOrder(
                    calls,
                    write("raised=1"),
                    sync("leasehold-staged"),
                    call("link", "leasehold-fence"),
                    sync(page.getParent() + ">"),
                    write("Admitted"));
        }
    }

    @Test
    void newNameAndItsDirectoriesAreDurableBeforeTheFirstGrantIsAnswered() throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            actor.ask("open " + root.resolve("store"));
            List<Call> calls = traced(actor, "acquire job attempt-0001 10000");
            inOrder(
                    calls,
                    call("mkdir", "n-job"),
                    call("link", "n-job/state"),
                    sync("/leases/n-job>"),
                    sync("/leases>"),
                    write("token=1"),
                    sync("/n-job/t-"),
                    call("link", "g-00000000000000000001"),
                    sync("/leases/n-job>"),
                    write("granted"));
        }
    }

    @Test
    void renewalAndReleaseAreSyncedBeforeTheAnswer() throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            actor.ask("open " + root.resolve("store"));
            actor.ask("acquire job attempt-0001 10000");
            inOrder(
                    traced(actor, "renew lh1,1,attempt-0001,,job 20000"),
                    write("token=1"),
                    sync("/n-job/state"),
                    write("Renewed"));
            inOrder(
                    traced(actor, "release lh1,1,attempt-0001,,job"),
                    write("token=1"),
                    sync("/n-job/state"),
                    write("Released"));
        }
    }

    @Test
    void idOfTheStoreIsDurableBeforeTheStoreIsUsed() throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            List<Call> calls = traced(actor, "open " + root.resolve("store"));
            Predicate<Call> synced = call("open", ".leasehold-store-").and(call -> call.mentions("O_SYNC"));
            inOrder(
                    calls,
                    synced.or(sync(".leasehold-store-")),
                    call("link", "leasehold-store"),
                    sync("/store>"),
                    write("store "));
        }
    }

    private List<Call> traced(ActorProcess actor, String command) throws Exception {
        return traced(actor, command, root.resolve("trace"));
    }

    public static List<Call> traced(ActorProcess actor, String command, Path log) throws Exception {
        Strace trace = Strace.record(actor.ask("thread"), log);
        actor.ask(command);
        return trace.finish();
    }

    /** Finds each step after the previous one. */
    @SafeVarargs
    public static void inOrder(List<Call> calls, Predicate<Call>... steps) {
        int at = -1;
        for (int i = 0; i < steps.length; i++) {
            int from = at + 1;
            at = from;
            while (at < calls.size() && !steps[i].test(calls.get(at))) {
                at++;
            }
            if (at == calls.size()) {
                throw new AssertionError("step " + (i + 1) + " of the order is missing after call " + from + " of:\n"
                        + calls.stream().map(Call::toString).collect(Collectors.joining("\n")));
            }
        }
    }

    public static Predicate<Call> write(String text) {
        return call -> call.isWrite() && call.mentions(text);
    }

    public static Predicate<Call> sync(String path) {
        return call -> call.isSync() && call.mentions(path);
    }

    public static Predicate<Call> call(String name, String text) {
        return call -> call.name().startsWith(name) && call.mentions(text);
    }
}
