package dev.leasehold.internal.turns;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The window adapts itself to the number of processes that wait, which nobody knows. */
class TurnWindowTest {
    /** How long it takes from an ask until the others have heard of the grant. */
    private static final double ASK_NANOS = 3_000_000;

    @Test
    void nobodyWaitsWhereNobodyAsksInVain() {
        assertThat(TurnWindow.NONE.afterGrant(0).isOpen()).isFalse();
        TurnWindow window = TurnWindow.of(TurnWindow.LONGEST);
        for (int i = 0; i < 30; i++) {
            window = window.afterGrant(0);
        }
        assertThat(window.isOpen()).as("after 30 hand-overs alone").isFalse();
    }

    @Test
    void aForeignWindowIsNotLongerThanOurs() {
        assertThat(TurnWindow.of(Duration.ofDays(1))).isEqualTo(TurnWindow.of(TurnWindow.LONGEST));
        assertThat(TurnWindow.of(TurnWindow.LONGEST).afterVain(1000)).isEqualTo(TurnWindow.of(TurnWindow.LONGEST));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 30, 100})
    void aboutOneAsksInVainHoweverManyWait(int processes) {
        assertThat(new Crowd(processes).vainPerHandOver()).isLessThan(2);
    }

    /** Each leaves after its turn, and another one comes. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 30, 100})
    void aboutOneAsksInVainAmongProcessesThatComeAndGo(int processes) {
        Crowd crowd = new Crowd(processes);
        crowd.leavesAfterItsTurn = true;
        assertThat(crowd.vainPerHandOver()).isLessThan(2);
    }

    /** One takes the lease again as soon as it has released it, and never asks in vain. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 30, 100})
    void aboutOneAsksInVainBesideAProcessThatIsAlwaysFaster(int processes) {
        Crowd crowd = new Crowd(processes);
        crowd.oneIsAlwaysFirst = true;
        assertThat(crowd.vainPerHandOver()).isLessThan(2);
    }

    private static final class Crowd {
        private final int[] vain;
        private final Random random;
        private TurnWindow window = TurnWindow.NONE;
        private boolean leavesAfterItsTurn;
        private boolean oneIsAlwaysFirst;

        Crowd(int processes) {
            vain = new int[processes];
            random = new Random(processes);
        }

        /** After the first hundred, in which the window has to grow. */
        double vainPerHandOver() {
            int counted = 0;
            for (int i = 0; i < 2100; i++) {
                int inVain = handOver();
                counted += i < 100 ? 0 : inVain;
            }
            return counted / 2000.0;
        }

        private int handOver() {
            double[] asks = new double[vain.length];
            int first = 0;
            for (int i = 0; i < asks.length; i++) {
                asks[i] = i == 0 && oneIsAlwaysFirst ? 0 : random.nextDouble() * (double) (1 + window.nanos());
                first = asks[i] < asks[first] ? i : first;
            }
            TurnWindow now = window;
            int inVain = 0;
            for (int i = 0; i < asks.length; i++) {
                if (i != first && asks[i] < asks[first] + ASK_NANOS) {
                    inVain++;
                    askedInVain(i, now);
                }
            }
            window = window.afterGrant(vain[first]);
            vain[first] = 0;
            if (leavesAfterItsTurn) {
                System.arraycopy(vain, first + 1, vain, first, vain.length - first - 1);
                vain[vain.length - 1] = 0;
            }
            return inVain;
        }

        /** As in {@link WaitingLines}. */
        private void askedInVain(int process, TurnWindow before) {
            if (++vain[process] == 3) {
                vain[process] = 0;
                TurnWindow wider = before.afterVain(3);
                window = wider.nanos() > window.nanos() ? wider : window;
            }
        }
    }
}
