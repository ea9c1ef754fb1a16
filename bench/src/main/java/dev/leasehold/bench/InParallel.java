package dev.leasehold.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Fills a store in a tolerable time. */
final class InParallel {
    private InParallel() {}

    /** Calls {@code each} with every number below {@code count}, on several threads. */
    static void forEach(int count, int threads, IntConsumer each) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> parts = new ArrayList<>();
            for (int part = 0; part < threads; part++) {
                int from = part;
                parts.add(() -> {
                    for (int i = from; i < count; i += threads) {
                        each.accept(i);
                    }
                    return null;
                });
            }
            for (Future<Void> part : pool.invokeAll(parts)) {
                part.get();
            }
        } finally {
            pool.shutdown();
        }
    }
}
