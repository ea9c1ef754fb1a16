package dev.leasehold.cli.jobs;

import dev.leasehold.cli.child.Hook;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Slot;
import dev.leasehold.jobs.file.JobCommand;
import dev.leasehold.model.LeaseName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the commands that jobs have for their success and failure, one after the other, on the
 * machine that recorded the outcome. They change nothing about the outcome.
 */
final class SlotHooks implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MOST_QUEUED = 100;

    private final Console console;
    private final Map<LeaseName, JobCommand> jobs = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor executor =
            new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_QUEUED), task -> {
                Thread thread = new Thread(task, "leasehold-hooks");
                thread.setDaemon(true);
                return thread;
            });

    SlotHooks(Console console) {
        this.console = console;
        executor.allowCoreThreadTimeOut(true);
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
            try {
                executor.execute(() -> run(hook, which, json(job, outcome)));
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                console.error(which + " was not run: too many commands are waiting, or no thread can be started");
            }
        }
    }

    private void run(Hook hook, String which, String text) {
        try {
            String problem = hook.run(text);
            if (problem != null) {
                console.error(which + " failed: " + problem);
            }
        } catch (InterruptedException e) {
            console.error(which + " was cut off");
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

    /** Lets the commands that wait run first. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
