package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.jobs.Trial.Blow;
import dev.leasehold.jobs.Trial.Fault;
import dev.leasehold.jobs.Trial.Point;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything a machine leans on fails once at its first use, at its second, and so on, in every way that it can fail. After that
 * the machine must be as good as new: later slots run on time, no worker is missing, no lease stays held, nothing is left that
 * keeps a stop waiting, and no exception ends a thread. A complaint names the fault.
 */
class FaultSearchTest {
    private static final Duration ONCE = Duration.ZERO;
    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private static final Map<String, Blow> STORE_BLOWS = new LinkedHashMap<>();
    private static final Map<String, Blow> OUTAGES = new LinkedHashMap<>();
    private static final Map<String, Blow> EXECUTOR_BLOWS = new LinkedHashMap<>();
    private static final Map<String, Blow> CODE_BLOWS = new LinkedHashMap<>();

    static {
        STORE_BLOWS.put("unavailable", () -> {
            throw new StoreUnavailableException("injected: no answer");
        });
        STORE_BLOWS.put("corrupt", () -> {
            throw new StoreCorruptException("injected: cannot be read");
        });
        STORE_BLOWS.put("a mistake in the store", () -> {
            throw new IllegalStateException("injected");
        });
        OUTAGES.putAll(STORE_BLOWS);
        STORE_BLOWS.put("an error in the store", () -> {
            throw new InternalError("injected");
        });
        STORE_BLOWS.put("interrupted", FaultSearchTest::interrupt);
        EXECUTOR_BLOWS.put("rejected", () -> {
            throw new RejectedExecutionException("injected");
        });
        EXECUTOR_BLOWS.put("no thread", () -> {
            throw new OutOfMemoryError("injected: unable to create native thread");
        });
        CODE_BLOWS.put("exception", () -> {
            throw new IllegalStateException("injected");
        });
        CODE_BLOWS.put("checked exception", () -> {
            throw new java.io.IOException("injected");
        });
        CODE_BLOWS.put("interruption", () -> {
            throw new InterruptedException("injected");
        });
        CODE_BLOWS.put("stack overflow", () -> {
            throw new StackOverflowError("injected");
        });
        CODE_BLOWS.put("no memory", () -> {
            throw new OutOfMemoryError("injected");
        });
        CODE_BLOWS.put("missing class", () -> {
            throw new NoClassDefFoundError("injected");
        });
        CODE_BLOWS.put("assertion", () -> {
            throw new AssertionError("injected");
        });
        CODE_BLOWS.put("error", () -> {
            throw new Error("injected");
        });
        CODE_BLOWS.put("throwable", () -> {
            throw new Throwable("injected");
        });
        CODE_BLOWS.put("interrupted", FaultSearchTest::interrupt);
    }

    /** Somebody interrupts the thread of a look or a run, whatever it does just now. */
    private static void interrupt() {
        if (VirtualThreads.isCurrent()) {
            Thread.currentThread().interrupt();
        }
    }

    /** Thousands of injected faults would fill the log. */
    private static final Logger LOG = Logger.getLogger("dev.leasehold");

    @BeforeAll
    static void beQuiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(null);
    }

    private final List<String> complaints = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void aScenarioWithoutFaultsHasNothingToComplainOf(TrialPlan scenario) {
        assertThat(new Trial(scenario).run().complaints()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void everyCallOfTheStore(TrialPlan scenario) {
        search(scenario, Point.STORE, STORE_BLOWS, ONCE);
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void everyAnswerOfTheStore(TrialPlan scenario) {
        search(scenario, Point.STORE_REPLY, STORE_BLOWS, ONCE);
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void aStoreThatFailsForAWhileFromEveryCallOn(TrialPlan scenario) {
        search(scenario, Point.STORE, OUTAGES, A_WHILE);
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void everyTaskForTheExecutor(TrialPlan scenario) {
        search(scenario, Point.EXECUTOR, EXECUTOR_BLOWS, ONCE);
        search(scenario, Point.EXECUTOR, EXECUTOR_BLOWS, A_WHILE);
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void everyTaskThatTheExecutorKeepsAlthoughItThrows(TrialPlan scenario) {
        search(scenario, Point.EXECUTOR_KEEPS, EXECUTOR_BLOWS, ONCE);
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void everyCallOfTheListener(TrialPlan scenario) {
        search(scenario, Point.LISTENER, CODE_BLOWS, ONCE);
        search(scenario, Point.LISTENER, CODE_BLOWS, A_WHILE);
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void everyWork(TrialPlan scenario) {
        search(scenario, Point.WORK, CODE_BLOWS, ONCE);
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void everyTimer(TrialPlan scenario) {
        search(scenario, Point.TIMER, EXECUTOR_BLOWS, ONCE);
        search(scenario, Point.TIMER, EXECUTOR_BLOWS, A_WHILE);
        assertThat(complaints).isEmpty();
    }

    /** The engine waits only when something else has failed. */
    @ParameterizedTest
    @EnumSource(TrialPlan.class)
    void everyWaitForAStoreThatDoesNotAnswer(TrialPlan scenario) {
        Blow unavailable = STORE_BLOWS.get("unavailable");
        int calls = usesOf(scenario, Point.STORE);
        for (int call = 1; call <= calls; call++) {
            Fault outage = new Fault(Point.STORE, call, Duration.ofSeconds(2), unavailable);
            int waits = new Trial(scenario, outage).run().uses(Point.WAIT);
            for (int wait = 1; wait <= waits; wait++) {
                Fault interrupt = new Fault(Point.WAIT, wait, ONCE, CODE_BLOWS.get("interruption"));
                check("outage from call " + call + ", wait " + wait + " interrupted", scenario, outage, interrupt);
            }
        }
        assertThat(complaints).isEmpty();
    }

    private void search(TrialPlan scenario, Point point, Map<String, Blow> blows, Duration lasting) {
        int uses = usesOf(scenario, point);
        blows.forEach((name, blow) -> {
            for (int at = 1; at <= uses; at++) {
                String fault = point + " " + at + " of " + uses + " " + (lasting.isZero() ? "" : "and on ") + name;
                check(fault, scenario, new Fault(point, at, lasting, blow));
            }
        });
    }

    private static int usesOf(TrialPlan scenario, Point point) {
        int uses = new Trial(scenario).run().uses(point);
        assertThat(uses).as("uses of " + point).isPositive();
        return uses;
    }

    private void check(String fault, TrialPlan scenario, Fault... faults) {
        Trial trial = new Trial(scenario, faults).run();
        for (String complaint : trial.complaints()) {
            complaints.add(scenario + ", " + fault + " (" + trial.hit() + "): " + complaint);
        }
    }
}
