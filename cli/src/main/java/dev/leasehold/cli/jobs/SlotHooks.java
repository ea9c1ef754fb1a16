package dev.leasehold.cli.jobs;

import dev.leasehold.cli.child.Hook;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Slot;
import dev.leasehold.jobs.file.JobCommand;
import dev.leasehold.model.LeaseName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands that jobs have for their success and failure, on the machine that recorded the
 * outcome; those of one job one after the other. They change nothing about the outcome.
 */
final class SlotHooks implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(10);
    private static final int MOST_THREADS = 32;
    private static final int MOST_QUEUED = 10;

    private final Console console;
    private final Map<LeaseName, JobCommand> jobs = new ConcurrentHashMap<>();
    /** What waits, and what runs at the head of each line. Guarded by itself. */
    private final Map<LeaseName, Deque<Told>> lines = new HashMap<>();

    private final ThreadPoolExecutor executor =
            new ThreadPoolExecutor(0, MOST_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "leasehold-hooks");
                thread.setDaemon(true);
                return thread;
            });

    /** A command and what it is told. */
    private record Told(Hook hook, String which, String text) {}

    SlotHooks(Console console) {
        this.console = console;
    }

    void put(JobCommand job) {
        jobs.put(LeaseName.of(job.job()), job);
    }

    void ended(LeaseName job, Outcome outcome) {
        JobCommand settings = jobs.get(job);
        if (settings == null) {
            return;
        }
        List<String> command =
                switch (outcome.kind()) {
                    case RAN -> settings.onSuccess();
                    case FAILED -> settings.onFailure();
                    default -> List.of();
                };
        if (!command.isEmpty()) {
            Hook hook = new Hook(command, settings.directory(), settings.environment(), LIMIT);
            String which = (outcome.kind() == Outcome.Kind.FAILED ? "on-failure" : "on-success") + " of "
                    + new Slot(job, outcome.from());
            queue(job, new Told(hook, which, json(job, outcome)));
        }
    }

    private void queue(LeaseName job, Told told) {
        boolean first;
        synchronized (lines) {
            Deque<Told> line = lines.computeIfAbsent(job, name -> new ArrayDeque<>());
            if (line.size() > MOST_QUEUED) {
                console.error(told.which + " was not run: too many commands of this job are waiting");
                return;
            }
            first = line.isEmpty();
            line.add(told);
        }
        if (first) {
            try {
                executor.execute(() -> runAll(job));
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                drop(job);
            }
        }
    }

    private void drop(LeaseName job) {
        Deque<Told> dropped;
        synchronized (lines) {
            dropped = lines.remove(job);
        }
        if (dropped != null) {
            dropped.forEach(
                    told -> console.error(
                            told.which
                                    + " was not run: this program is stopping, too many commands are running, or no thread can be started"));
        }
    }

    private void runAll(LeaseName job) {
        Told next = next(job, false);
        while (next != null && !Thread.currentThread().isInterrupted()) {
            run(next.hook, next.which, next.text);
            next = next(job, true);
        }
        drop(job);
    }

    /** The command at the head of the line; null if there is none left. */
    private @Nullable Told next(LeaseName job, boolean afterTheFirst) {
        synchronized (lines) {
            Deque<Told> line = lines.get(job);
            if (line != null && afterTheFirst) {
                line.remove();
            }
            if (line != null && line.isEmpty()) {
                lines.remove(job);
            }
            return line == null ? null : line.peek();
        }
    }

    private void run(Hook hook, String which, String text) {
        try {
            String problem = hook.run(text);
            if (problem != null) {
                console.error(which + " failed: " + problem);
            }
        } catch (InterruptedException e) {
            console.error(which + " was killed, because this program is stopping");
            Thread.currentThread().interrupt();
        }
    }

    private static String json(LeaseName job, Outcome outcome) {
        Json json = new Json()
                .put("job", job)
                .put("slot", outcome.from())
                .put("outcome", outcome.kind().word())
                .put("reason", outcome.reason())
                .put("at", outcome.at());
        if (outcome.token() != null) {
            json.put("token", outcome.token().value());
        }
        return json.put("attempt", outcome.attempt())
                .put("durationMs", outcome.took())
                .toString();
    }

    /** Lets the commands that run end, for a moment. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                // The commands that still run are killed, and those that wait are named.
                executor.shutdownNow();
                executor.awaitTermination(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
