package dev.leasehold.store;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Watch;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Wakes the waiters of a name. A waiter creates the file {@code wake}, and a release writes to it
 * if it exists. The other files cannot serve as a signal, because every step changes them, even
 * those of the waiters. A release on another host is not signalled, so a waiter asks again after a
 * second.
 */
final class FileWatch implements Watch {
    static final String WAKE = "wake";
    private static final Duration MAX_WAIT = Duration.ofSeconds(1);

    private final WatchService events;

    private FileWatch(WatchService events) {
        this.events = events;
    }

    static FileWatch on(Path directory) {
        try {
            Files.createDirectories(directory);
            Path wake = directory.resolve(WAKE);
            if (!Disk.exists(wake)) {
                Files.write(wake, new byte[0], StandardOpenOption.CREATE);
            }
            return listening(directory);
        } catch (IOException e) {
            throw FileLeaseStore.unavailable(e, directory);
        }
    }

    /**
     * Closes the service, which has a thread and file descriptors, if the directory cannot be
     * watched.
     */
    private static FileWatch listening(Path directory) throws IOException {
        WatchService events = FileSystems.getDefault().newWatchService();
        boolean registered = false;
        try {
            directory.register(events, StandardWatchEventKinds.ENTRY_MODIFY);
            registered = true;
            return new FileWatch(events);
        } finally {
            if (!registered) {
                events.close();
            }
        }
    }

    /** Called after a release. Best effort: the release has already taken effect. */
    static void wake(Path directory) {
        Path wake = directory.resolve(WAKE);
        try {
            if (Disk.exists(wake)) {
                Files.write(wake, new byte[] {'.'}, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            }
        } catch (IOException e) {
            // Waiters ask again by themselves, a little later.
        }
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + Math.min(atMost.toNanos(), MAX_WAIT.toNanos());
        while (true) {
            WatchKey key = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (key == null) {
                return;
            }
            boolean woken = false;
            for (WatchEvent<?> event : key.pollEvents()) {
                woken |= String.valueOf(event.context()).equals(WAKE)
                        || event.kind() == StandardWatchEventKinds.OVERFLOW;
            }
            key.reset();
            if (woken) {
                return;
            }
        }
    }

    @Override
    public void close() {
        try {
            events.close();
        } catch (IOException e) {
            throw new StoreUnavailableException("the watch on a lease could not be closed", e);
        }
    }
}
