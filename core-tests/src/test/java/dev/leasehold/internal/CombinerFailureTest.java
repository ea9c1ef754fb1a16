package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.StoreUnreachableException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A failure, an interrupt or a slow call of one caller harms no other. */
class CombinerFailureTest extends CombinerCallers {
    @Test
    void interruptOfTheSenderHarmsNoOther() throws Exception {
        Combiner<String, String> combiner = combiner(batch -> {
            if (batch.get(0).request().equals("b")) {
                Thread.currentThread().interrupt();
                throw new StoreUnavailableException("interrupted while waiting for a connection");
            }
            answerAll(batch);
        });

        List<Future<String>> all = askDuringTheFirstCall(combiner, "b", "c", "d");

        assertThat(all.get(2).get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("answer to c");
        assertThat(all.get(3).get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("answer to d");
    }

    /** The interrupted call may have reached the store, so nobody may be told that nothing was sent. */
    @Test
    void requestOfAnInterruptedCallIsNotReportedAsNeverSent() throws Exception {
        Combiner<String, String> combiner = patient(
                512,
                request -> request,
                batch -> {
                    Thread.currentThread().interrupt();
                    throw new StoreUnavailableException("interrupted while waiting for the answer");
                },
                request -> {
                    if (!request.equals("a")) {
                        throw new StoreUnreachableException("no connection");
                    }
                    return blockedAlone(request);
                });

        List<Future<String>> all = askDuringTheFirstCall(combiner, "b", "c", "d");

        for (Future<String> each : all.subList(1, 4)) {
            assertThatThrownBy(() -> each.get(PATIENT_SECONDS, TimeUnit.SECONDS))
                    .cause()
                    .isExactlyInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void aSenderThatWasInterruptedBeforeSendsUndisturbed() throws Exception {
        AtomicBoolean disturbed = new AtomicBoolean();
        Combiner<String, String> combiner = combiner(batch -> {
            disturbed.set(Thread.currentThread().isInterrupted());
            answerAll(batch);
        });
        Future<String> first = threads.submit(() -> combiner.ask("a"));
        awaitUntil(() -> calls.size() == 1);
        Future<Boolean> sender = threads.submit(() -> {
            Thread.currentThread().interrupt();
            combiner.ask("b");
            return Thread.interrupted();
        });
        awaitUntil(() -> arrived.get() == 1);
        Future<String> other = threads.submit(() -> combiner.ask("c"));
        awaitUntil(() -> arrived.get() == 2);
        firstCallMayEnd.countDown();

        assertThat(sender.get(PATIENT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(answers(List.of(first, other))).containsExactly("answer to a", "answer to c");
        assertThat(disturbed).isFalse();
    }

    @Test
    void requestThatIsLeftUnansweredIsMadeAlone() throws Exception {
        Combiner<String, String> combiner = combiner(batch -> batch.stream()
                .filter(each -> !each.request().equals("c"))
                .forEach(each -> each.answer("together " + each.request())));

        assertThat(answers(askDuringTheFirstCall(combiner, "b", "c", "d")))
                .containsExactly("answer to a", "together b", "answer to c", "together d");
    }

    @Test
    void lostAnswerOfACallIsUnknownForEachThatIsNotAnsweredYet() throws Exception {
        Combiner<String, String> combiner = combiner(batch -> {
            batch.get(0).answer("in time");
            throw new StoreUnavailableException("the answer was lost");
        });

        List<Future<String>> all = askDuringTheFirstCall(combiner, "b", "c", "d");

        assertThat(all.get(1).get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("in time");
        for (Future<String> each : all.subList(2, 4)) {
            assertThatThrownBy(() -> each.get(PATIENT_SECONDS, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("the answer was lost");
        }
        assertThat(calls).as("nothing was repeated in silence").containsExactly(List.of("a"));
    }

    @Test
    void oneRequestAtFaultHarmsNoOther() throws Exception {
        Combiner<String, String> combiner = patient(
                512,
                request -> request,
                batch -> {
                    throw new IllegalStateException("one of them is damaged");
                },
                request -> {
                    if (request.equals("c")) {
                        throw new IllegalArgumentException("c is damaged");
                    }
                    return blockedAlone(request);
                });

        List<Future<String>> all = askDuringTheFirstCall(combiner, "b", "c", "d");

        assertThat(all.get(1).get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("answer to b");
        assertThat(all.get(3).get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("answer to d");
        assertThatThrownBy(() -> all.get(2).get(PATIENT_SECONDS, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anErrorOfTheSenderIsItsOwnAndTheOthersGoOn() throws Exception {
        AtomicInteger errors = new AtomicInteger();
        Combiner<String, String> combiner = combiner(batch -> {
            if (errors.getAndIncrement() == 0) {
                throw new StackOverflowError();
            }
            answerAll(batch);
        });

        List<Future<String>> all = askDuringTheFirstCall(combiner, "b", "c", "d");

        assertThatThrownBy(() -> all.get(1).get(PATIENT_SECONDS, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(all.get(2).get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("answer to c");
        assertThat(all.get(3).get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("answer to d");
        assertThat(combiner.ask("later")).isEqualTo("answer to later");
        assertThat(combiner.ask("b")).as("the same name again").isEqualTo("answer to b");
    }

    @Test
    void slowCallIsOvertaken() throws Exception {
        Combiner<String, String> combiner =
                new Combiner<>(512, ONE, request -> request, this::answerAll, this::blockedAlone);
        Future<String> slow = threads.submit(() -> combiner.ask("a"));
        awaitUntil(() -> calls.size() == 1);

        assertThat(combiner.ask("b")).isEqualTo("answer to b");
        assertThat(combiner.ask("c")).isEqualTo("answer to c");
        assertThat(slow.isDone()).isFalse();

        firstCallMayEnd.countDown();
        assertThat(slow.get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("answer to a");
        assertThat(combiner.ask("d")).isEqualTo("answer to d");
    }

    @Test
    void interruptedCallerGetsItsAnswerAndKeepsTheInterrupt() throws Exception {
        Combiner<String, String> combiner =
                new Combiner<>(512, ONE, request -> request, this::answerAll, this::blockedAlone);
        Future<String> first = threads.submit(() -> combiner.ask("a"));
        awaitUntil(() -> calls.size() == 1);
        Future<Boolean> interrupted = threads.submit(() -> {
            Thread.currentThread().interrupt();
            assertThat(combiner.ask("b")).isEqualTo("answer to b");
            return Thread.interrupted();
        });

        assertThat(interrupted.get(PATIENT_SECONDS, TimeUnit.SECONDS)).isTrue();
        firstCallMayEnd.countDown();
        assertThat(first.get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("answer to a");
    }
}
