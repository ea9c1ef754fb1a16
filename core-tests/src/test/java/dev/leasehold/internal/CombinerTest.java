package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callers that arrive during a call go together in the next one, and each gets its own answer. */
class CombinerTest {
    private static final int PATIENT_SECONDS = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** The calls in the order in which they began; a request made alone is a call of one. */
    private final ConcurrentLinkedQueue<List<String>> calls = new ConcurrentLinkedQueue<>();

    private final CountDownLatch firstCallMayEnd = new CountDownLatch(1);
    /** How many callers have begun to wait. */
    private final AtomicInteger arrived = new AtomicInteger();

    @AfterEach
    void end() {
        firstCallMayEnd.countDown();
        threads.shutdownNow();
    }

    @Test
    void lonelyCallerIsSentAtOnceAndAlone() {
        Combiner<String, String> combiner = combiner(this::answerAll);

        assertThat(combiner.ask("b")).isEqualTo("answer to b");
        assertThat(combiner.ask("c")).isEqualTo("answer to c");

        assertThat(calls).containsExactly(List.of("b"), List.of("c"));
    }

    @Test
    void callersThatArriveDuringACallGoTogetherAndGetTheirOwnAnswers() throws Exception {
        Combiner<String, String> combiner = combiner(this::answerAll);

        List<Future<String>> all = askDuringTheFirstCall(combiner, "b", "c", "d");

        assertThat(answers(all)).containsExactly("answer to a", "answer to b", "answer to c", "answer to d");
        assertThat(calls).containsExactly(List.of("a"), List.of("b", "c", "d"));
    }

    @Test
    void requestsForOneNameAreSentOneAfterTheOtherInTheirOrder() throws Exception {
        Combiner<String, String> combiner =
                patient(512, request -> request.charAt(0), this::answerAll, this::blockedAlone);

        List<Future<String>> all = askDuringTheFirstCall(combiner, "b1", "b2", "c1", "b3");

        assertThat(answers(all))
                .containsExactly("answer to a", "answer to b1", "answer to b2", "answer to c1", "answer to b3");
        assertThat(calls).allSatisfy(call -> assertThat(call.stream().map(each -> each.charAt(0)))
                .doesNotHaveDuplicates());
        assertThat(calls.stream().flatMap(List::stream).filter(each -> each.startsWith("b")))
                .containsExactly("b1", "b2", "b3");
    }

    @Test
    void aCallTakesABoundedNumberOfRequests() throws Exception {
        Combiner<String, String> combiner = patient(2, request -> request, this::answerAll, this::blockedAlone);

        answers(askDuringTheFirstCall(combiner, "b", "c", "d", "e", "f"));

        assertThat(calls).allSatisfy(call -> assertThat(call).hasSizeLessThanOrEqualTo(2));
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
    }

    @Test
    void slowCallIsOvertaken() throws Exception {
        Combiner<String, String> combiner =
                new Combiner<>(512, request -> request, this::answerAll, this::blockedAlone);
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
                new Combiner<>(512, request -> request, this::answerAll, this::blockedAlone);
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

    @Test
    void manyCallersAtOnceAllGetTheirOwnAnswers() throws Exception {
        firstCallMayEnd.countDown();
        Combiner<String, String> combiner =
                new Combiner<>(512, request -> request, this::answerAll, this::blockedAlone);
        List<Future<Void>> all = new ArrayList<>();
        for (int caller = 0; caller < 32; caller++) {
            int id = caller;
            all.add(threads.submit(() -> {
                for (int i = 0; i < 2000; i++) {
                    String request = id + "-" + i;
                    assertThat(combiner.ask(request)).isEqualTo("answer to " + request);
                }
                return null;
            }));
        }
        for (Future<Void> each : all) {
            each.get(PATIENT_SECONDS, TimeUnit.SECONDS);
        }
        assertThat(calls.stream().mapToInt(List::size).sum()).isEqualTo(32 * 2000);
    }

    private Combiner<String, String> combiner(Combiner.Call<String, String> together) {
        return patient(512, request -> request, together, this::blockedAlone);
    }

    /** Its callers do not overtake a call, however slow the machine is. */
    private Combiner<String, String> patient(
            int most,
            Function<String, Object> keys,
            Combiner.Call<String, String> together,
            Function<String, String> alone) {
        return new Combiner<>(most, keys, together, alone, PatientSleeper::new);
    }

    private final class PatientSleeper implements Combiner.Sleeper {
        private final Semaphore wakes = new Semaphore(0);

        @Override
        public void await(BooleanSupplier condition, Duration atMost) {
            arrived.incrementAndGet();
            while (!condition.getAsBoolean()) {
                wakes.acquireUninterruptibly();
            }
        }

        @Override
        public void wake() {
            wakes.release();
        }
    }

    private void answerAll(List<Combiner.Pending<String, String>> batch) {
        calls.add(batch.stream().map(Combiner.Pending::request).toList());
        batch.forEach(each -> each.answer("answer to " + each.request()));
    }

    /** The request "a" takes as long as the test wants. */
    private String blockedAlone(String request) {
        calls.add(List.of(request));
        try {
            if (request.equals("a") && !firstCallMayEnd.await(PATIENT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody let the first call end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "answer to " + request;
    }

    private static void awaitUntil(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 1000 * PATIENT_SECONDS && !condition.getAsBoolean(); i++) {
            Thread.sleep(1);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** Lets the callers arrive in this order while "a" is under way. */
    private List<Future<String>> askDuringTheFirstCall(Combiner<String, String> combiner, String... requests)
            throws Exception {
        List<Future<String>> all = new ArrayList<>();
        all.add(threads.submit(() -> combiner.ask("a")));
        awaitUntil(() -> calls.size() == 1);
        for (String request : requests) {
            all.add(threads.submit(() -> combiner.ask(request)));
            awaitUntil(() -> arrived.get() == all.size() - 1);
        }
        firstCallMayEnd.countDown();
        return all;
    }

    private static List<String> answers(List<Future<String>> all) throws Exception {
        List<String> answers = new ArrayList<>();
        for (Future<String> each : all) {
            answers.add(each.get(PATIENT_SECONDS, TimeUnit.SECONDS));
        }
        return answers;
    }
}
