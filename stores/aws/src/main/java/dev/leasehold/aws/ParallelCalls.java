package dev.leasehold.aws;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Calls for many things, where a service has no call for all of them: several are on the way at the same time. */
final class ParallelCalls {
    private static final int AT_A_TIME = 16;

    private ParallelCalls() {}

    /** The answers, in the order of the questions. Waits through interrupts. If one fails, throws what it has thrown. */
    static <Q, A> List<A> each(List<Q> questions, Function<Q, A> call) {
        if (questions.isEmpty()) {
            return List.of();
        }
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(AT_A_TIME, questions.size()));
        try {
            List<CompletableFuture<A>> running = new ArrayList<>(questions.size());
            for (Q question : questions) {
                running.add(CompletableFuture.supplyAsync(() -> call.apply(question), threads));
            }
            List<A> answers = new ArrayList<>(questions.size());
            for (CompletableFuture<A> one : running) {
                answers.add(one.join());
            }
            return answers;
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        } finally {
            threads.shutdownNow();
        }
    }
}
