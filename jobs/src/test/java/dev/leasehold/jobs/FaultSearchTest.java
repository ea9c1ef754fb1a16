package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.jobs.Trial.Failure;
import dev.leasehold.jobs.Trial.Fault;
import dev.leasehold.jobs.Trial.Point;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Injects a failure of each kind at the first use of each dependency of a machine, at the second,
 * and so on. After that the machine must work as before: later slots run on time, no worker is
 * missing, no lease stays held, nothing delays a stop, and no exception ends a thread. A complaint
 * names the fault.
 *
 * <p>Each use gets one of the failures, in turn; with {@code -Dleasehold.crash.full=true} it gets
 * all of them.
 */
class FaultSearchTest {
    private static final boolean FULL = Boolean.getBoolean("leasehold.crash.full");
    private static final Duration ONCE = Duration.ZERO;
    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private static final Map<String, Failure> STORE_FAILURES = new LinkedHashMap<>();
    private static final Map<String, Failure> OUTAGES = new LinkedHashMap<>();
    private static final Map<String, Failure> EXECUTOR_FAILURES = new LinkedHashMap<>();
    private static final Map<String, Failure> CODE_FAILURES = new LinkedHashMap<>();

    static {
        STORE_FAILURES.put("unavailable", () -> {
            throw new StoreUnavailableException("injected: no answer");
        });
        STORE_FAILURES.put("corrupt", () -> {
            throw new StoreCorruptException("injected: cannot be read");
        });
        STORE_FAILURES.put("bug in the store", () -> {
            throw new IllegalStateException("injected");
        });
        OUTAGES.putAll(STORE_FAILURES);
        STORE_FAILURES.put("error in the store", () -> {
            throw new InternalError("injected");
        });
        STORE_FAILURES.put("interrupted", FaultSearchTest::interrupt);
        EXECUTOR_FAILURES.put("rejected", () -> {
            throw new RejectedExecutionException("injected");
        });
        EXECUTOR_FAILURES.put("no thread", () -> {
            throw new OutOfMemoryError("injected: unable to create native thread");
        });
        CODE_FAILURES.put("exception", () -> {
            throw new IllegalStateException("injected");
        });
        CODE_FAILURES.put("checked exception", () -> {
            throw new java.io.IOException("injected");
        });
        CODE_FAILURES.put("interruption", () -> {
            throw new InterruptedException("injected");
        });
        CODE_FAILURES.put("stack overflow", () -> {
            throw new StackOverflowError("injected");
        });
        CODE_FAILURES.put("no memory", () -> {
            throw new OutOfMemoryError("injected");
        });
        CODE_FAILURES.put("missing class", () -> {
            throw new NoClassDefFoundError("injected");
        });
        CODE_FAILURES.put("assertion", () -> {
            throw new AssertionError("injected");
        });
        CODE_FAILURES.put("error", () -> {
            throw new Error("injected");
        });
        CODE_FAILURES.put("throwable", () -> {
            throw new Throwable("injected");
        });
        CODE_FAILURES.put("interrupted", FaultSearchTest::interrupt);
    }

    /** Interrupts the thread of a pass or a run, whatever it is doing. */
    private static void interrupt() {
        if (VirtualThreads.isCurrent()) {
            Thread.currentThread().interrupt();
        }
    }

    /** Thousands of injected faults would fill the log. */
    private static final Logger LOG = Logger.getLogger("dev.leasehold");

    @BeforeAll
    static void silenceLog() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void restoreLog() {
        LOG.setLevel(null);
    }

    private final List<String> complaints = new ArrayList<>();

    /** Where to inject which failures, and for how long. */
    private record Search(TrialPlan scenario, Point point, Map<String, Failure> failures, Duration lasting) {
        @Override
        public String toString() {
            return scenario + ", " + point + (lasting.isZero() ? " once" : " for a while");
        }
    }

    static Stream<Search> searches() {
        return Arrays.stream(TrialPlan.values())
                .flatMap(scenario -> Stream.of(
                        new Search(scenario, Point.STORE, STORE_FAILURES, ONCE),
                        new Search(scenario, Point.STORE, OUTAGES, A_WHILE),
                        new Search(scenario, Point.STORE_REPLY, STORE_FAILURES, ONCE),
                        new Search(scenario, Point.EXECUTOR, EXECUTOR_FAILURES, ONCE),
                        new Search(scenario, Point.EXECUTOR, EXECUTOR_FAILURES, A_WHILE),
                        new Search(scenario, Point.EXECUTOR_KEEPS, EXECUTOR_FAILURES, ONCE),
                        new Search(scenario, Point.LISTENER, CODE_FAILURES, ONCE),
                        new Search(scenario, Point.LISTENER, CODE_FAILURES, A_WHILE),
                        new Search(scenario, Point.WORK, CODE_FAILURES, ONCE),
                        new Search(scenario, Point.TIMER, EXECUTOR_FAILURES, ONCE),
                        new Search(scenario, Point.TIMER, EXECUTOR_FAILURES, A_WHILE)));
    }

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void aScenarioWithoutFaultsHasNoComplaints(TrialPlan scenario) {
        assertThat(new Trial(scenario).run().complaints()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("searches")
    void theMachineRecoversFromAFailureAtEveryUse(Search search) {
        int uses = usesOf(search.scenario, search.point);
        List<String> names = List.copyOf(search.failures.keySet());
        int each = FULL ? names.size() : 1;
        for (int at = 1; at <= uses; at++) {
            for (int n = 0; n < each; n++) {
                // Scenarios start with different failures, so that similar uses do not get the same ones.
                String name = names.get((firstOf(search.scenario, names.size()) + at + n) % names.size());
                check(
                        search + ", use " + at + " of " + uses + ": " + name,
                        search.scenario,
                        new Fault(search.point, at, search.lasting, search.failures.get(name)));
            }
        }
        assertThat(complaints).isEmpty();
    }

    /** The engine waits only after a failure, so the store fails first. */
    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void theMachineRecoversFromAnInterruptAtEveryWait(TrialPlan scenario) {
        Failure unavailable = STORE_FAILURES.get("unavailable");
        int calls = usesOf(scenario, Point.STORE);
        int step = FULL ? 1 : 3;
        for (int call = 1 + firstOf(scenario, step); call <= calls; call += step) {
            Fault outage = new Fault(Point.STORE, call, Duration.ofSeconds(2), unavailable);
            int waits = new Trial(scenario, outage).run().uses(Point.WAIT);
            for (int wait = 1; wait <= waits; wait++) {
                Fault interrupt = new Fault(Point.WAIT, wait, ONCE, CODE_FAILURES.get("interruption"));
                check(
                        scenario + ", outage from call " + call + ", wait " + wait + " interrupted",
                        scenario,
                        outage,
                        interrupt);
            }
        }
        assertThat(complaints).isEmpty();
    }

    private static int firstOf(TrialPlan scenario, int count) {
        return Math.floorMod(scenario.name().hashCode(), count);
    }

    private static int usesOf(TrialPlan scenario, Point point) {
        int uses = new Trial(scenario).run().uses(point);
        assertThat(uses).as("uses of " + point).isPositive();
        return uses;
    }

    private void check(String fault, TrialPlan scenario, Fault... faults) {
        Trial trial = new Trial(scenario, faults).run();
        for (String complaint : trial.complaints()) {
            complaints.add(fault + " (" + trial.hit() + "): " + complaint);
        }
    }
}
