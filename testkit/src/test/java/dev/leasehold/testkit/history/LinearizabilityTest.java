package dev.leasehold.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.history.LeaseCall.Answer;
import dev.leasehold.testkit.history.LeaseCall.Kind;
import dev.leasehold.testkit.history.LeaseCall.Word;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks hand-written histories whose result is known. Times are in milliseconds. */
class LinearizabilityTest {
    private static final long TTL = 1_000;

    @Test
    void callsThatOverlapMayHaveHappenedInEitherOrder() {
        assertThat(Linearizability.holds(List.of(
                        call(0, Kind.ACQUIRE, "a", 0, 0, 10, granted(2)),
                        call(1, Kind.ACQUIRE, "b", 0, 0, 10, granted(1)),
                        call(1, Kind.RELEASE, "b", 1, 2, 9, Answer.of(Word.RELEASED)))))
                .isTrue();
    }

    @Test
    void callThatEndedBeforeAnotherBeganCameFirst() {
        assertThat(Linearizability.holds(List.of(
                        call(0, Kind.ACQUIRE, "a", 0, 20, 30, granted(1)),
                        call(1, Kind.ACQUIRE, "b", 0, 0, 10, new Answer(Word.BUSY, 1)))))
                .isFalse();
    }

    @Test
    void oneTokenForTwoHoldersIsFound() {
        assertThat(Linearizability.holds(List.of(
                        call(0, Kind.ACQUIRE, "a", 0, 0, 10, granted(1)),
                        call(1, Kind.ACQUIRE, "b", 0, 0, 10, granted(1)))))
                .isFalse();
    }

    @Test
    void unansweredCallMayHaveHappenedOrNot() {
        LeaseCall lost = call(0, Kind.ACQUIRE, "a", 0, 0, 10, granted(1)).unanswered();
        LeaseCall first = call(1, Kind.ACQUIRE, "b", 0, 20, 30, granted(1));
        LeaseCall busy = call(1, Kind.ACQUIRE, "b", 0, 20, 30, new Answer(Word.BUSY, 1));
        LeaseCall retried = call(0, Kind.ACQUIRE, "a", 0, 40, 50, granted(1));
        assertThat(Linearizability.holds(List.of(lost, first))).isTrue();
        assertThat(Linearizability.holds(List.of(lost, busy, retried))).isTrue();
        assertThat(Linearizability.holds(List.of(lost, first, retried))).isFalse();
    }

    @Test
    void leaseExpiresAfterItsTtlAndNotBefore() {
        LeaseCall held = call(0, Kind.ACQUIRE, "a", 0, 0, 10, granted(1));
        assertThat(Linearizability.holds(List.of(held, call(1, Kind.ACQUIRE, "b", 0, 500, 510, granted(2)))))
                .isFalse();
        assertThat(Linearizability.holds(List.of(held, call(1, Kind.ACQUIRE, "b", 0, 1005, 1015, granted(2)))))
                .isTrue();
        assertThat(Linearizability.holds(
                        List.of(held, call(1, Kind.ACQUIRE, "b", 0, 2000, 2010, new Answer(Word.BUSY, 1)))))
                .isFalse();
    }

    @Test
    void lapsedLeaseIsNotRenewedLater() {
        LeaseCall held = call(0, Kind.ACQUIRE, "a", 0, 0, 10, granted(1));
        LeaseCall lapsed = call(0, Kind.RENEW, "a", 1, 1004, 1006, Answer.of(Word.LAPSED));
        assertThat(Linearizability.holds(List.of(held, lapsed))).isTrue();
        LeaseCall renewed = call(1, Kind.RENEW, "a", 1, 1005, 1007, Answer.of(Word.RENEWED));
        assertThat(Linearizability.holds(List.of(held, lapsed, renewed))).isTrue();
        LeaseCall late = call(1, Kind.RENEW, "a", 1, 1100, 1110, Answer.of(Word.RENEWED));
        assertThat(Linearizability.holds(List.of(held, lapsed, late))).isFalse();
    }

    @Test
    void shrunkHistoryContainsOnlyTheRelevantCalls() {
        List<LeaseCall> history = new ArrayList<>(List.of(
                call(0, Kind.ACQUIRE, "a", 0, 0, 10, granted(1)),
                call(0, Kind.RELEASE, "a", 1, 50, 60, Answer.of(Word.RELEASED)),
                call(1, Kind.ACQUIRE, "b", 0, 100, 110, granted(2)),
                call(2, Kind.ACQUIRE, "c", 0, 120, 130, granted(2)),
                call(1, Kind.RELEASE, "b", 2, 200, 210, Answer.of(Word.RELEASED))));
        for (int i = 0; i < 20; i++) {
            history.add(call(3, Kind.ACQUIRE, "busy-" + i, 0, 11 + i, 12 + i, new Answer(Word.BUSY, 1)));
        }
        Collections.shuffle(history, new Random(1));
        List<LeaseCall> small = Linearizability.shrink(history);
        assertThat(Linearizability.holds(small)).isFalse();
        assertThat(small).hasSizeLessThanOrEqualTo(4);
        assertThat(Linearizability.show(small))
                .contains("client 1  ACQUIRE  b")
                .contains("client 2  ACQUIRE  c", "-> GRANTED 2")
                .doesNotContain("busy");
    }

    private static LeaseCall call(
            int client, Kind kind, String attempt, long token, long began, long ended, Answer answer) {
        return new LeaseCall(
                client,
                kind,
                attempt,
                token,
                kind == Kind.RELEASE ? 0 : nanos(TTL),
                nanos(began),
                nanos(ended),
                answer);
    }

    private static Answer granted(long token) {
        return new Answer(Word.GRANTED, token);
    }

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
