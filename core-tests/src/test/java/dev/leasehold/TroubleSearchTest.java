package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Trouble.Kind;
import dev.leasehold.Trouble.Place;
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
 * Lets one thing go wrong at every point at which the engine leaves its own code, in turn, and looks afterwards whether
 * anybody owns a lease without knowing, was not told of a loss, or left something behind. The message of a failure names the
 * point.
 */
class TroubleSearchTest {
    private static final Set<Place> MAY_LAST = EnumSet.of(Place.BEFORE_STORE, Place.LANE, Place.TIMER, Place.LISTENER);

    private static final Logger LOGGER = Logger.getLogger("dev.leasehold");

    /** What the engine survives it logs, thousands of times here. */
    @BeforeAll
    static void beQuiet() {
        LOGGER.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOGGER.setLevel(null);
    }

    @ParameterizedTest
    @EnumSource
    void whateverGoesWrongNobodyOwnsUnknowingly(Story story) {
        Trouble smooth = Trouble.none();
        tell(story, smooth);
        for (Place place : Place.values()) {
            int points = smooth.reached(place).size();
            for (int at = 1; at <= points; at++) {
                for (Kind kind : Kind.possibleAt(place)) {
                    tell(story, Trouble.once(place, at, kind));
                    if (MAY_LAST.contains(place)) {
                        tell(story, Trouble.lasting(place, at, kind));
                    }
                }
            }
        }
    }

    @Test
    void theStoriesReachEveryPlace() {
        Set<Place> reached = EnumSet.noneOf(Place.class);
        for (Story story : Story.values()) {
            Trouble smooth = Trouble.none();
            tell(story, smooth);
            for (Place place : Place.values()) {
                if (!smooth.reached(place).isEmpty()) {
                    reached.add(place);
                }
            }
        }
        assertThat(reached).containsExactlyInAnyOrder(Place.values());
    }

    private static void tell(Story story, Trouble trouble) {
        Stage stage = new Stage(trouble, story == Story.WAIT_FOR_A_WAKE);
        try {
            Throwable failure = play(story, stage);
            boolean interrupted = Thread.interrupted();
            requireExplained(stage, failure, interrupted);
            stage.requireNothingLeft();
        } catch (Throwable finding) {
            Thread.interrupted();
            throw new AssertionError(story + " with " + trouble + ": " + finding.getMessage(), finding);
        }
    }

    /** What came out of the story, or null; a finding of the story itself is passed on. */
    private static Throwable play(Story story, Stage stage) {
        try {
            story.tell(stage);
            return null;
        } catch (AssertionError finding) {
            throw finding;
        } catch (Throwable failure) {
            return failure;
        }
    }

    private static void requireExplained(Stage stage, Throwable failure, boolean interrupted) {
        Trouble trouble = stage.trouble;
        if (failure != null) {
            assertThat(trouble.explains(failure))
                    .as("what came out: %s", failure)
                    .isTrue();
            assertThat(trouble.isAt(Place.LISTENER))
                    .as("a listener's failure came out: %s", failure)
                    .isFalse();
            assertThat(trouble.isAt(Place.LANE))
                    .as("a lack of threads came out: %s", failure)
                    .isFalse();
            assertThat(trouble.isAt(Place.WATCH_CLOSE))
                    .as("a waiter's failure to stop waiting came out")
                    .isFalse();
        }
        if (trouble.isInterrupt() && trouble.happened()) {
            // One that comes when the work is being told to stop cannot be told from that.
            assertThat(interrupted || failure instanceof InterruptedException || stage.count("lost") > 0)
                    .as("the interrupt is passed on")
                    .isTrue();
        } else {
            assertThat(interrupted).as("an interrupt is left on the thread").isFalse();
        }
    }

    @Test
    void everyFindingNamesItsPoint() {
        Trouble trouble = Trouble.once(Place.AFTER_STORE, 1, Kind.ERROR);
        Stage stage = new Stage(trouble, false);
        assertThat(play(Story.TRY_AND_CLOSE, stage)).isInstanceOf(Trouble.InjectedError.class);
        assertThat(trouble).hasToString("ERROR at AFTER_STORE number 1 (acquire)");
        assertThat(List.of(Story.values())).isNotEmpty();
    }
}
