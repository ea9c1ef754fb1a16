package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Callers that arrive during a call go together in the next one, and each gets its own answer. */
class CombinerTest extends CombinerCallers {
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
    void requestsKeepTheirOrder() throws Exception {
        Combiner<String, String> combiner = patient(2, CombinerCallers::nameOf, this::answerAll, this::blockedAlone);

        List<Future<String>> all = askDuringTheFirstCall(combiner, "b1", "b2", "c1", "b3", "b4");

        assertThat(answers(all).subList(1, 6))
                .containsExactly("answer to b1", "answer to b2", "answer to c1", "answer to b3", "answer to b4");
        assertThat(calls).containsExactly(List.of("a"), List.of("b1", "b2"), List.of("c1", "b3"), List.of("b4"));
    }

    @Test
    void noTwoCallsWithOneNameAreUnderWay() throws Exception {
        Set<Character> underWay = ConcurrentHashMap.newKeySet();
        Combiner<String, String> combiner = new Combiner<>(
                8,
                new Combiner.Lanes(4, 4),
                CombinerCallers::nameOf,
                batch -> {
                    Set<Character> names = new HashSet<>();
                    batch.forEach(each -> names.add(each.request().charAt(0)));
                    names.forEach(name -> assertThat(underWay.add(name)).isTrue());
                    LockSupport.parkNanos(10_000);
                    batch.forEach(each -> each.answer(each.request()));
                    underWay.removeAll(names);
                },
                request -> {
                    assertThat(underWay.add(request.charAt(0))).isTrue();
                    LockSupport.parkNanos(10_000);
                    underWay.remove(request.charAt(0));
                    return request;
                });
        List<Future<Void>> all = new ArrayList<>();
        for (int caller = 0; caller < 16; caller++) {
            String request = (char) ('b' + caller % 5) + " of " + caller;
            all.add(threads.submit(() -> {
                for (int i = 0; i < 500; i++) {
                    assertThat(combiner.ask(request)).isEqualTo(request);
                }
                return null;
            }));
        }
        for (Future<Void> each : all) {
            each.get(PATIENT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void manyCallersOfOneNameShareACall() throws Exception {
        Combiner<String, String> combiner = patient(512, request -> "one name", this::answerAll, this::blockedAlone);
        String[] requests = new String[40];
        Arrays.setAll(requests, i -> "b" + i);

        answers(askDuringTheFirstCall(combiner, requests));

        assertThat(calls).containsExactly(List.of("a"), List.of(requests));
    }

    @Test
    void aNameThatCannotBeReachedOccupiesOneCall() throws Exception {
        Semaphore locked = new Semaphore(0);
        AtomicInteger waitingForTheLock = new AtomicInteger();
        Combiner<String, String> combiner = patient(
                512,
                CombinerCallers::nameOf,
                batch -> batch.stream()
                        .filter(each -> !each.request().startsWith("c") || locked.availablePermits() > 0)
                        .forEach(each -> each.answer("together " + each.request())),
                request -> {
                    if (request.startsWith("c")) {
                        waitingForTheLock.incrementAndGet();
                        locked.acquireUninterruptibly();
                        locked.release();
                    }
                    return blockedAlone(request);
                });

        List<Future<String>> all = askDuringTheFirstCall(combiner, "b1", "c1", "c2", "d1", "c3");

        assertThat(all.get(1).get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("together b1");
        assertThat(all.get(4).get(PATIENT_SECONDS, TimeUnit.SECONDS)).isEqualTo("together d1");
        awaitUntil(() -> waitingForTheLock.get() == 1);
        assertThat(combiner.ask("e1")).as("others go on").isEqualTo("answer to e1");
        Future<String> later = threads.submit(() -> combiner.ask("c4"));
        awaitUntil(() -> arrived.get() == 6);
        assertThat(waitingForTheLock).hasValue(1);
        locked.release();
        assertThat(answers(List.of(all.get(2), all.get(3), all.get(5), later)))
                .containsExactly("answer to c1", "together c2", "together c3", "together c4");
    }

    @Test
    void fewCallersAreServedSideBySideAndManyTogether() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Combiner<String, String> combiner = new Combiner<>(
                512,
                new Combiner.Lanes(3, 1),
                request -> request,
                this::answerAll,
                request -> {
                    calls.add(List.of(request));
                    awaitUninterruptibly(mayEnd);
                    return "answer to " + request;
                },
                PatientSleeper::new);
        List<Future<String>> all = new ArrayList<>();
        for (String request : List.of("a", "b", "c")) {
            all.add(threads.submit(() -> combiner.ask(request)));
            awaitUntil(() -> calls.size() == all.size());
        }
        for (String request : List.of("d", "e", "f", "g")) {
            all.add(threads.submit(() -> combiner.ask(request)));
            awaitUntil(() -> arrived.get() == all.size() - 3);
        }
        assertThat(calls).as("before the first has ended").hasSize(3);
        mayEnd.countDown();
        answers(all);

        assertThat(calls).last().isEqualTo(List.of("d", "e", "f", "g"));
    }

    @Test
    void manyCallersThatComeAgainOneByOneGoTogetherAgain() throws Exception {
        Semaphore mayEnd = new Semaphore(0);
        Combiner<String, String> combiner = new Combiner<>(
                512,
                new Combiner.Lanes(3, 1),
                request -> request,
                this::answerAll,
                request -> {
                    calls.add(List.of(request));
                    mayEnd.acquireUninterruptibly();
                    return "answer to " + request;
                },
                PatientSleeper::new);
        List<Future<String>> all = new ArrayList<>();
        for (int caller = 0; caller < 20; caller++) {
            String request = "first " + caller;
            all.add(threads.submit(() -> combiner.ask(request)));
            awaitUntil(() -> calls.size() + arrived.get() == all.size());
        }
        mayEnd.release(3);
        answers(all);
        calls.clear();
        arrived.set(0);
        all.clear();
        for (String request : List.of("a", "b", "c", "d")) {
            all.add(threads.submit(() -> combiner.ask(request)));
            awaitUntil(() -> calls.size() + arrived.get() == all.size());
        }
        mayEnd.release();
        answers(all);

        assertThat(calls).containsExactly(List.of("a"), List.of("b", "c", "d"));
    }

    @Test
    void aFewCallersAreServedSideBySideAgainAfterManyHaveLeft() throws Exception {
        firstCallMayEnd.countDown();
        CountDownLatch underWay = new CountDownLatch(3);
        AtomicBoolean manyHaveLeft = new AtomicBoolean();
        Combiner<String, String> combiner =
                new Combiner<>(512, new Combiner.Lanes(3, 1), request -> request, this::answerAll, request -> {
                    if (manyHaveLeft.get()) {
                        underWay.countDown();
                        awaitUninterruptibly(underWay);
                    }
                    return "answer to " + request;
                });
        List<Future<String>> many = new ArrayList<>();
        for (int caller = 0; caller < 60; caller++) {
            String request = "many " + caller;
            many.add(threads.submit(() -> combiner.ask(request)));
        }
        answers(many);
        for (int i = 0; i < 60; i++) {
            combiner.ask("lonely " + i);
        }
        manyHaveLeft.set(true);
        List<Future<String>> few = new ArrayList<>();
        for (String request : List.of("a", "b", "c")) {
            few.add(threads.submit(() -> combiner.ask(request)));
        }

        assertThat(answers(few)).containsExactly("answer to a", "answer to b", "answer to c");
    }

    @Test
    void onlyTheFirstThatWaitsLooksAfterTheCallUnderWay() throws Exception {
        Queue<Duration> waits = new ConcurrentLinkedQueue<>();
        CountDownLatch twoLookAfter = new CountDownLatch(2);
        Combiner<String, String> combiner = new Combiner<>(
                2,
                ONE,
                request -> request,
                batch -> {
                    awaitUninterruptibly(twoLookAfter);
                    answerAll(batch);
                },
                this::blockedAlone,
                () -> new PatientSleeper() {
                    @Override
                    public void await(BooleanSupplier condition, Duration atMost) {
                        waits.add(atMost);
                        if (atMost.equals(Combiner.PATIENCE)) {
                            twoLookAfter.countDown();
                        }
                        super.await(condition, atMost);
                    }
                });

        answers(askDuringTheFirstCall(combiner, "b", "c", "d"));

        assertThat(waits)
                .as("b looks after the first call, and d, which waits for the second, after that")
                .containsExactly(Combiner.PATIENCE, Duration.ofSeconds(1), Duration.ofSeconds(1), Combiner.PATIENCE);
    }

    @Test
    void aCallTakesABoundedNumberOfRequests() throws Exception {
        Combiner<String, String> combiner = patient(2, request -> request, this::answerAll, this::blockedAlone);

        answers(askDuringTheFirstCall(combiner, "b", "c", "d", "e", "f"));

        assertThat(calls).allSatisfy(call -> assertThat(call).hasSizeLessThanOrEqualTo(2));
    }

    @Test
    void manyCallersAtOnceAllGetTheirOwnAnswers() throws Exception {
        firstCallMayEnd.countDown();
        Combiner<String, String> combiner =
                new Combiner<>(512, ONE, request -> request, this::answerAll, this::blockedAlone);
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
}
