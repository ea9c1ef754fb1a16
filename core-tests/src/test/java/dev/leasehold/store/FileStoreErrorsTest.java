package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.crash.Actor;
import dev.leasehold.crash.ActorProcess;
import dev.leasehold.crash.CrashScenario;
import dev.leasehold.crash.FaultAtEveryCall;
import dev.leasehold.crash.Strace;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk error says nothing about the data. Each system call of the store fails with several
 * errors: the answer is "unknown", no answer claims that records are lost, no token is issued
 * twice, and the store works again.
 */
class FileStoreErrorsTest {
    private static final String[] ERRORS = {"EIO", "ESTALE", "EACCES", "ENOSPC", "EMFILE"};
    private static final int EACH = 1;
    private static final String FAILED = "failed StoreUnavailableException the store cannot be used: ";
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path root;

    @Test
    @Requires("strace")
    void leaseSurvivesErrorsWhileItIsRenewedShownReleasedAndGrantedAgain() throws Exception {
        StoreScenario scenario = new StoreScenario(
                new Step("renew lh1,1,attempt-0001,,job 300000", "\\[(Renewed|Unknown).*"),
                mayFail("inspect job", "Optional\\[.*"),
                mayFail("list", "\\[LeaseSnapshot.*"),
                mayFail("history job", "\\[Transfer.*"),
                mayFail("release lh1,1,attempt-0001,,job", "Released.*"),
                mayFail("acquire job attempt-0002 300000", "granted lh1,2,.*|Busy.*"),
                mayFail("cancel job attempt-0003", "granted .*"),
                mayFail("cancel job attempt-0003", "granted .*"));
        failEachCall(root, scenario, 30);
    }

    @Test
    @Requires("strace")
    void firstGrantSurvivesErrors() throws Exception {
        Step first = mayFail("acquire new attempt-0001 300000", "granted lh1,1,.*");
        StoreScenario scenario = new StoreScenario(first) {
            @Override
            void afterwards(Run run) throws Exception {
                assertThat(run.actor().ask(first.command()))
                        .as("the same attempt after %s", run.point())
                        .startsWith("granted lh1,1,attempt-0001");
                assertThat(run.actor().ask("renew lh1,1,attempt-0001,,new 300000"))
                        .as("after %s", run.point())
                        .contains("Renewed");
            }
        };
        failEachCall(root, scenario, 15);
    }

    @Test
    @Requires("strace")
    void openingAStoreSurvivesErrors() throws Exception {
        for (boolean old : new boolean[] {true, false}) {
            StoreScenario scenario = new StoreScenario(mayFail("open {store}", "store .*")) {
                @Override
                public void prepare(Path directory) {
                    if (old) {
                        super.prepare(directory);
                    }
                }

                @Override
                public List<String> before(Path directory) {
                    return List.of();
                }

                @Override
                void afterwards(Run run) throws Exception {
                    if (old) {
                        assertThat(run.actor().ask(script(run.directory())))
                                .as(run.point())
                                .startsWith("store ");
                        super.afterwards(run);
                    }
                }
            };
            failEachCall(root.resolve(old ? "old" : "new"), scenario, old ? 2 : 10);
        }
    }

    @Test
    @Requires("strace")
    void registerSurvivesErrorsWhileARecordIsReadReplacedListedAndRemoved() throws Exception {
        StoreScenario scenario =
                new StoreScenario(
                        mayFail("register read key", "value one"),
                        mayFail("register set key two", "set true"),
                        mayFail("register set other one", "set true"),
                        mayFail("register keys key", "keys \\[key.*"),
                        mayFail("register remove key", "removed true")) {
                    @Override
                    void afterwards(Run run) throws Exception {
                        boolean gone = run.answers().get(4).startsWith("removed");
                        String value = run.actor().ask("register read key");
                        assertThat(value).as("after %s", run.point()).matches(gone ? "value absent" : "value .*");
                        assertThat(run.actor().ask("register set key three"))
                                .as("after %s", run.point())
                                .isEqualTo("set true");
                        assertThat(run.actor().ask("register read key"))
                                .as("after %s", run.point())
                                .isEqualTo("value three");
                    }
                };
        failEachCall(root, scenario, 20);
    }

    private static void failEachCall(Path directory, StoreScenario scenario, int least) throws Exception {
        int faults =
                new FaultAtEveryCall(directory, scenario).failingWith(ERRORS).run(EACH);
        assertThat(faults).as("calls that failed").isGreaterThanOrEqualTo(least);
    }

    /**
     * The directory may be moved away, or an empty mount point: this does not mean that the store
     * lost its records.
     */
    @Test
    void missingStoreDirectoryIsNotReportedAsLostGrants() throws Exception {
        Path home = root.resolve("store");
        try (ActorProcess actor = ActorProcess.start()) {
            actor.ask("open " + home);
            assertThat(actor.ask("acquire job attempt-0001 300000")).startsWith("granted");
            actor.ask("register set key one");
            Files.move(home, root.resolve("moved"));
            for (Path there : List.of(home, home.resolve("leases"))) {
                assertThat(actor.ask("renew lh1,1,attempt-0001,,job 300000")).contains("Unknown");
                for (String command : List.of(
                        "release lh1,1,attempt-0001,,job", "inspect job", "history job", "list", "register read key")) {
                    if (!command.equals("list") || there.equals(home)) {
                        assertThat(actor.ask(command)).as(command).startsWith(FAILED);
                    }
                }
                assertThat(actor.ask("acquire job attempt-0002 300000")).startsWith(FAILED);
                Files.createDirectories(there);
                Files.writeString(home.resolve("leasehold-store"), "of another store");
            }
        }
    }

    /** The state file contains the deadline: without it the name is neither new nor free. */
    @Test
    void grantsWithoutTheirStateAreReportedAsDamage() throws Exception {
        Path home = root.resolve("store");
        try (ActorProcess actor = ActorProcess.start()) {
            actor.ask("open " + home);
            assertThat(actor.ask("acquire job attempt-0001 300000")).startsWith("granted");
            Files.delete(home.resolve("leases/n-job/state"));
            assertThat(actor.ask("renew lh1,1,attempt-0001,,job 300000"))
                    .contains("Unknown")
                    .contains("is missing");
            assertThat(actor.ask("acquire job attempt-0002 300000"))
                    .startsWith("failed StoreCorruptException")
                    .contains("state is missing");
        }
    }

    /**
     * One command of a scenario.
     *
     * @param command {@code {store}} stands for the directory of the store
     * @param answers the correct answers, as a regular expression
     */
    private record Step(String command, String answers) {}

    private static Step mayFail(String command, String answers) {
        return new Step(command, answers + "|" + FAILED + ".*");
    }

    /** A finished run: the process, its files and its answers. */
    private record Run(ActorProcess actor, Path directory, List<String> answers, String point) {}

    private static class StoreScenario implements CrashScenario {
        private final List<Step> steps;

        StoreScenario(Step... steps) {
            this.steps = List.of(steps);
        }

        @Override
        public void prepare(Path directory) {
            try (FileLeaseStore store = FileLeaseStore.create(directory.resolve("store"))) {
                store.acquire(LeaseName.of("job"), AttemptId.of("attempt-0001"), Holder.of("test"), LONG);
                store.register().compareAndSet("key", CasRegister.ABSENT, "one");
            }
        }

        @Override
        public List<String> before(Path directory) {
            return List.of("open " + directory.resolve("store"));
        }

        @Override
        public String script(Path directory) {
            return steps.stream()
                    .map(step -> step.command()
                            .replace("{store}", directory.resolve("store").toString()))
                    .collect(Collectors.joining(";"));
        }

        @Override
        public final void check(Path directory, List<String> answers, String point) {
            assertThat(String.join("\n", answers))
                    .as(point)
                    .doesNotContain("not issued")
                    .doesNotContain("Forgotten")
                    .doesNotContain("lost records")
                    .doesNotContain("is missing");
            for (int i = 0; i < steps.size(); i++) {
                assertThat(answers.get(i)).as(point).matches(steps.get(i).answers());
            }
        }

        @Override
        public final void check(
                ActorProcess actor, Path directory, List<String> answers, Strace.Call call, String point)
                throws Exception {
            check(directory, answers, point);
            if (call != null && call.isSync()) {
                assertThat(answers)
                        .as("data that was not synced is not reported as done: %s", point)
                        .anyMatch(line -> line.startsWith("failed") || line.contains("Unknown"));
            }
            long acknowledged = 0;
            for (String line : answers) {
                if (line.startsWith("granted ")) {
                    acknowledged = Math.max(
                            acknowledged, Actor.grant(line.substring(8)).token().value());
                }
            }
            afterwards(new Run(actor, directory, answers, point));
            if (Files.exists(directory.resolve("store/leases/n-job"))) {
                worksAgain(actor, directory, acknowledged, point);
            }
        }

        /** In the same process, which took locks and opened files while a call failed. */
        void afterwards(Run run) throws Exception {
            assertThat(run.actor().ask("inspect job"))
                    .as("after %s", run.point())
                    .contains("LeaseSnapshot");
        }

        private static void worksAgain(ActorProcess actor, Path directory, long acknowledged, String point)
                throws Exception {
            actor.ask("open " + directory.resolve("store"));
            assertThat(actor.ask("cancel job attempt-8000"))
                    .as("after %s", point)
                    .startsWith("granted ");
            String answer = actor.ask("acquire job attempt-9000 300000");
            assertThat(answer).as("after %s", point).startsWith("granted ");
            String grant = answer.substring(8);
            assertThat(Actor.grant(grant).token().value())
                    .as("a reported token is not issued again: %s", point)
                    .isGreaterThan(acknowledged);
            assertThat(actor.ask("renew " + grant + " 300000"))
                    .as("after %s", point)
                    .contains("Renewed");
            assertThat(actor.ask("release " + grant)).as("after %s", point).startsWith("Released");
        }
    }
}
