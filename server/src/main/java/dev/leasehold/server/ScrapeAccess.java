package dev.leasehold.server;

import dev.leasehold.internal.Sha256;
import dev.leasehold.model.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Lets Prometheus in while the store is down: that is when its numbers are needed. It has threads of
 * its own, because all others may be waiting for the store. A client that had access within the last
 * hour keeps it as long as the store cannot be asked.
 */
final class ScrapeAccess implements Executor, AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final long SILENT_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long REMEMBERED_NANOS = Duration.ofHours(1).toNanos();
    private static final int MOST_REMEMBERED = 100;
    private static final int THREADS = 2;
    private static final int MOST_QUEUED = 64;

    private final Authenticator authenticator;
    private final ThreadPoolExecutor scrapes = threads("leasehold-server-scrape");
    /** These may hang with the store. */
    private final ThreadPoolExecutor questions = threads("leasehold-server-scrape-access");

    private final Map<String, Remembered> remembered = new ConcurrentHashMap<>();
    private volatile long silentSince = System.nanoTime() - SILENT_NANOS;

    /** Who had access, and when. */
    private record Remembered(Caller caller, long at) {}

    ScrapeAccess(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    private static ThreadPoolExecutor threads(String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS, THREADS, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_QUEUED), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** @throws RejectedExecutionException if too many scrapes wait, or no thread can be started */
    @Override
    public void execute(Runnable task) {
        try {
            scrapes.execute(task);
        } catch (OutOfMemoryError noThread) {
            throw new RejectedExecutionException("no thread can be started", noThread);
        }
    }

    /**
     * The caller that this header names. Waits for the store, for at most a second.
     *
     * @throws BadRequestException if it names none
     * @throws StoreUnavailableException if the store cannot be asked, and the caller is not remembered
     */
    Caller caller(@Nullable String header) {
        String digest = header == null ? "" : Sha256.hex(header.getBytes(StandardCharsets.UTF_8));
        try {
            Caller known = ask(header);
            if (remembered.size() >= MOST_REMEMBERED) {
                remembered.clear();
            }
            remembered.put(digest, new Remembered(known, System.nanoTime()));
            return known;
        } catch (StoreUnavailableException e) {
            Remembered before = remembered.get(digest);
            if (before == null || System.nanoTime() - before.at > REMEMBERED_NANOS) {
                throw e;
            }
            return before.caller;
        } catch (BadRequestException e) {
            remembered.remove(digest);
            throw e;
        }
    }

    private Caller ask(@Nullable String header) {
        if (System.nanoTime() - silentSince < SILENT_NANOS) {
            throw new StoreUnavailableException("the store did not answer a moment ago");
        }
        Future<Caller> answer;
        try {
            answer = questions.submit(() -> authenticator.caller(header));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            throw new StoreUnavailableException("too many questions wait for the store", e);
        }
        try {
            return answer.get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            silentSince = System.nanoTime();
            answer.cancel(false);
            throw new StoreUnavailableException("the store did not answer within " + LIMIT.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while asking the store", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        scrapes.shutdown();
        questions.shutdownNow();
    }
}
