package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a process believes about the others that compete for a name. */
class RivalsTest {
    private static final long NOW = 1_000;

    private final Rivals rivals = new Rivals();

    @Test
    void everyRivalCountsOnce() {
        rivals.granted("a", 0, NOW);
        rivals.granted("b", 0, NOW);
        rivals.granted("a", 0, NOW);
        assertThat(rivals.count(NOW)).isEqualTo(2);
    }

    @Test
    void aNewcomerBelievesWhatAnOlderOneSays() {
        rivals.granted("a", 19, NOW);
        assertThat(rivals.count(NOW)).isEqualTo(19);
        assertThat(rivals.heard(NOW)).as("what it tells others").isEqualTo(1);
    }

    @Test
    void aRivalThatWinsNoMoreIsForgotten() {
        rivals.granted("gone", 0, NOW);
        for (int i = 0; i < 23; i++) {
            rivals.granted("a", 0, NOW);
        }
        assertThat(rivals.count(NOW)).isEqualTo(2);
        rivals.grantedToMe();
        assertThat(rivals.count(NOW)).isEqualTo(1);
    }

    @Test
    void manyRivalsAreRememberedForLonger() {
        for (int i = 0; i < 100; i++) {
            rivals.granted("rival-" + i, 0, NOW);
        }
        assertThat(rivals.count(NOW)).isEqualTo(100);
    }

    @Test
    void aProcessThatIsLeftAloneForgetsItsRivals() {
        for (int i = 0; i < 20; i++) {
            rivals.granted("rival-" + i, 0, NOW);
        }
        for (int i = 0; i < 96; i++) {
            rivals.grantedToMe();
        }
        assertThat(rivals.count(NOW)).isZero();
    }

    @Test
    void nothingIsRememberedForLong() {
        rivals.granted("a", 5, NOW);
        assertThat(rivals.count(NOW + TimeUnit.MINUTES.toNanos(9))).isEqualTo(5);
        assertThat(rivals.count(NOW + TimeUnit.MINUTES.toNanos(11))).isZero();
    }

    @Test
    void nonsenseIsNotBelieved() {
        rivals.granted("a", Integer.MAX_VALUE, NOW);
        assertThat(rivals.count(NOW)).isEqualTo(10_000);
        rivals.granted("a", -5, NOW);
        assertThat(rivals.count(NOW)).isEqualTo(1);
    }
}
