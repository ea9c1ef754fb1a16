package dev.leasehold.internal.turns;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What processes that wait tell each other, and nonsense. */
class TurnMessageTest {
    @Test
    void noticeIsReadAsItWasWritten() {
        for (TurnMessage.Notice notice : List.of(
                new TurnMessage.Granted(Long.MAX_VALUE, Duration.ofDays(365)),
                new TurnMessage.Crowded(Duration.ofMillis(7)))) {
            assertThat(TurnMessage.parse(notice.text())).contains(notice);
        }
    }

    @Test
    void nonsenseIsNoNotice() {
        for (String text : new String[] {
            "",
            ",",
            "granted",
            "granted,",
            "granted,1",
            "granted,1,2,3",
            "granted,0,2",
            "granted,1,-2",
            "granted,x,2",
            "granted,1,99999999999999999999",
            "crowded",
            "crowded,1,2",
            "1,2",
            "7"
        }) {
            assertThat(TurnMessage.parse(text)).as(text).isEmpty();
        }
    }

    @Test
    void windowIsNeverNegativeAndNeverTooLong() {
        assertThat(TurnMessage.parse("crowded,-5")).contains(new TurnMessage.Crowded(Duration.ZERO));
        assertThat(TurnMessage.ofMicros(Long.MAX_VALUE)).isLessThan(Duration.ofHours(1));
    }
}
