package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Callers of a {@link Combiner} that arrive while its first call is under way. */
abstract class CombinerCallers {
    static final int PATIENT_SECONDS = 60;
    static final Combiner.Lanes ONE = new Combiner.Lanes(1, 1);

    final ExecutorService threads = Executors.newCachedThreadPool();

    /** The calls in the order in which they began; a request made alone is a call of one. */
    final ConcurrentLinkedQueue<List<String>> calls = new ConcurrentLinkedQueue<>();

    final CountDownLatch firstCallMayEnd = new CountDownLatch(1);
    /** How many callers have begun to wait. */
    final AtomicInteger arrived = new AtomicInteger();

    @AfterEach
    void end() {
        firstCallMayEnd.countDown();
        threads.shutdownNow();
    }

    Combiner<String, String> combiner(Combiner.Call<String, String> together) {
        return patient(512, request -> request, together, this::blockedAlone);
    }

    /** Its callers do not overtake a call, however slow the machine is. */
    Combiner<String, String> patient(
            int most,
            Function<String, Object> keys,
            Combiner.Call<String, String> together,
            Function<String, String> alone) {
        return new Combiner<>(most, ONE, keys, together, alone, PatientSleeper::new);
    }

    class PatientSleeper implements Combiner.Sleeper {
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

    void answerAll(List<Pending<String, String>> batch) {
        calls.add(batch.stream().map(Pending::request).toList());
        batch.forEach(each -> each.answer("answer to " + each.request()));
    }

    /** The request "a" takes as long as the test wants. */
    String blockedAlone(String request) {
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

    static Object nameOf(String request) {
        return request.charAt(0);
    }

    static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void awaitUntil(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 1000 * PATIENT_SECONDS && !condition.getAsBoolean(); i++) {
            Thread.sleep(1);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** Lets the callers arrive in this order while "a" is under way. */
    List<Future<String>> askDuringTheFirstCall(Combiner<String, String> combiner, String... requests) throws Exception {
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

    static List<String> answers(List<Future<String>> all) throws Exception {
        List<String> answers = new ArrayList<>();
        for (Future<String> each : all) {
            answers.add(each.get(PATIENT_SECONDS, TimeUnit.SECONDS));
        }
        return answers;
    }
}
