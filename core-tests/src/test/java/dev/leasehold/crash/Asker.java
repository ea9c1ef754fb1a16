package dev.leasehold.crash;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A process that acquires names continuously until its input ends, so that it holds the lock of one
 * of them most of the time.
 */
public final class Asker {
    /** Waiting for a stuck name takes ten seconds, during which this process holds no lock. */
    private static final Duration RETRY_STUCK_NAME_AFTER = Duration.ofSeconds(30);

    private static volatile boolean over;

    private Asker() {}

    /** Arguments: the directory of the store, and the names. */
    public static void main(String[] args) {
        Thread watch = new Thread(Asker::awaitEndOfInput, "end of input");
        watch.setDaemon(true);
        watch.start();
        SystemIds ids = new SystemIds();
        Map<String, Long> stuckUntil = new HashMap<>();
        try (FileLeaseStore store = FileLeaseStore.create(Path.of(args[0]), ids)) {
            for (int n = 0; !over; n++) {
                String name = args[1 + n % (args.length - 1)];
                long now = System.nanoTime();
                if (now - stuckUntil.getOrDefault(name, now) >= 0
                        && !ask(store, LeaseName.of(name), AttemptId.of(ids.unique()))) {
                    stuckUntil.put(name, System.nanoTime() + RETRY_STUCK_NAME_AFTER.toNanos());
                }
            }
        }
    }

    /** Returns false if a stopped process holds its lock. */
    private static boolean ask(FileLeaseStore store, LeaseName name, AttemptId attempt) {
        try {
            Acquisition answer = store.acquire(name, attempt, Holder.of("asker"), Duration.ofSeconds(1));
            if (answer instanceof Acquisition.Granted granted) {
                store.release(granted.grant(), Duration.ZERO);
            }
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // The test sends no input.
            }
        } catch (IOException e) {
            // The test has ended.
        }
        over = true;
    }
}
