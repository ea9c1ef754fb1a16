package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.InjectedFault.Kind;
import dev.leasehold.InjectedFault.Place;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Injects one fault at each point where the engine calls other code, one after the other. After
 * each run it checks that no process owns a lease without knowing it, that every loss was reported,
 * and that nothing is left running. The message of a failure names the point.
 */
class EngineFaultSearchTest {
    private static final Set<Place> MAY_LAST = EnumSet.of(Place.BEFORE_STORE, Place.LANE, Place.TIMER, Place.LISTENER);

    private static final Logger LOGGER = Logger.getLogger("dev.leasehold");

    /** The engine logs each fault that it survives, thousands of times here. */
    @BeforeAll
    static void silenceTheLog() {
        LOGGER.setLevel(Level.OFF);
    }

    @AfterAll
    static void restoreTheLog() {
        LOGGER.setLevel(null);
    }

    @ParameterizedTest
    @EnumSource
    void noFaultLeavesALeaseUnknownToItsOwner(EngineScenario scenario) {
        InjectedFault none = InjectedFault.none();
        run(scenario, none);
        for (Place place : Place.values()) {
            int points = none.reached(place).size();
            for (int at = 1; at <= points; at++) {
                for (Kind kind : Kind.possibleAt(place)) {
                    run(scenario, InjectedFault.once(place, at, kind));
                    if (MAY_LAST.contains(place)) {
                        run(scenario, InjectedFault.lasting(place, at, kind));
                    }
                }
            }
        }
    }

    @Test
    void scenariosReachEveryPlace() {
        Set<Place> reached = EnumSet.noneOf(Place.class);
        for (EngineScenario scenario : EngineScenario.values()) {
            InjectedFault none = InjectedFault.none();
            run(scenario, none);
            for (Place place : Place.values()) {
                if (!none.reached(place).isEmpty()) {
                    reached.add(place);
                }
            }
        }
        assertThat(reached).containsExactlyInAnyOrder(Place.values());
    }

    private static void run(EngineScenario scenario, InjectedFault fault) {
        EngineUnderFault engine = new EngineUnderFault(fault, scenario == EngineScenario.WAIT_FOR_A_WAKE);
        try {
            Throwable failure = play(scenario, engine);
            boolean interrupted = Thread.interrupted();
            requireExplained(engine, failure, interrupted);
            engine.requireNothingLeft();
        } catch (Throwable finding) {
            Thread.interrupted();
            throw new AssertionError(scenario + " with " + fault + ": " + finding.getMessage(), finding);
        }
    }

    /** The exception of the scenario, or null. Assertion errors are passed on. */
    private static Throwable play(EngineScenario scenario, EngineUnderFault engine) {
        try {
            scenario.play(engine);
            return null;
        } catch (AssertionError finding) {
            throw finding;
        } catch (Throwable failure) {
            return failure;
        }
    }

    private static void requireExplained(EngineUnderFault engine, Throwable failure, boolean interrupted) {
        InjectedFault fault = engine.fault;
        if (failure != null) {
            assertThat(fault.explains(failure))
                    .as("exception of the scenario: %s", failure)
                    .isTrue();
            assertThat(fault.isAt(Place.LISTENER))
                    .as("the caller got a listener's failure: %s", failure)
                    .isFalse();
            assertThat(fault.isAt(Place.LANE))
                    .as("the caller got a lack of threads: %s", failure)
                    .isFalse();
            assertThat(fault.isAt(Place.WATCH_CLOSE))
                    .as("the caller got the failure of closing a watch")
                    .isFalse();
        }
        if (fault.isInterrupt() && fault.happened()) {
            // An interrupt that arrives while the work is being stopped looks like the one that
            // stops it.
            assertThat(interrupted || failure instanceof InterruptedException || engine.count("lost") > 0)
                    .as("the interrupt is passed on")
                    .isTrue();
        } else {
            assertThat(interrupted).as("an interrupt is left on the thread").isFalse();
        }
    }

    @Test
    void everyFindingNamesItsPoint() {
        InjectedFault fault = InjectedFault.once(Place.AFTER_STORE, 1, Kind.ERROR);
        EngineUnderFault engine = new EngineUnderFault(fault, false);
        assertThat(play(EngineScenario.TRY_AND_CLOSE, engine)).isInstanceOf(InjectedFault.InjectedError.class);
        assertThat(fault).hasToString("ERROR at AFTER_STORE number 1 (acquire)");
        assertThat(List.of(EngineScenario.values())).isNotEmpty();
    }
}
