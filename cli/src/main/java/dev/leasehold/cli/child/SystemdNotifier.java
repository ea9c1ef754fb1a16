package dev.leasehold.cli.child;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells systemd that this program is ready, reads its files again, or stops, if it was started as a service with
 * {@code Type=notify}. Java has no datagram sockets of the Unix domain, so the program {@code systemd-notify} sends the
 * messages, one after the other on a thread of their own. A failure is reported once and changes nothing else: the caller
 * never waits, except in {@link #close} for what is still to be sent.
 */
public final class SystemdNotifier implements AutoCloseable {
    /** Set by systemd. A command that this program starts must not get it: it would speak for the service. */
    public static final String VARIABLE = "NOTIFY_SOCKET";

    private static final String PROGRAM = "systemd-notify";
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int TRIES = 3;
    private static final int MOST_WAITING = 16;
    private static final int LONGEST_COMPLAINT = 300;

    private final String socket;
    private final @Nullable String path;
    private final Consumer<String> warn;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final @Nullable ThreadPoolExecutor sender;

    /** @param warn told once if systemd cannot be told */
    public SystemdNotifier(Map<String, String> environment, Consumer<String> warn) {
        this.socket = environment.getOrDefault(VARIABLE, "");
        this.path = environment.get("PATH");
        this.warn = warn;
        this.sender = socket.isEmpty() ? null : sender();
    }

    private static ThreadPoolExecutor sender() {
        return new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), task -> {
            Thread thread = new Thread(task, "leasehold-systemd");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The program does its work now; also at the end of {@link #reloading}. */
    public void ready(String status) {
        send("READY=1", statusOf(status));
    }

    /** What {@code systemctl status} shows. */
    public void status(String status) {
        send(statusOf(status));
    }

    public void reloading() {
        // On Linux, nanoTime is the clock that systemd compares it with.
        send("RELOADING=1", "MONOTONIC_USEC=" + System.nanoTime() / 1000, statusOf("reads its file again"));
    }

    public void stopping() {
        send("STOPPING=1", statusOf("stopping"));
    }

    /** A line break would begin another assignment. */
    private static String statusOf(String text) {
        return "STATUS=" + text.replace('\n', ' ');
    }

    private void send(String... assignments) {
        if (sender == null) {
            return;
        }
        try {
            sender.execute(() -> deliver(List.of(assignments)));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            complain("too many messages wait, or no thread can be started");
        }
    }

    private void deliver(List<String> assignments) {
        if (!(CommandLookup.resolve(PROGRAM, path) instanceof CommandLookup.Found found)) {
            complain(PROGRAM
                    + " was not found on the PATH. Install the package systemd, or write Type=exec into the unit");
            return;
        }
        List<String> command = new ArrayList<>(assignments);
        command.add(0, found.file().toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true);
        builder.environment().put(VARIABLE, socket);
        try {
            // A service whose first message is lost would be ended by systemd.
            String complaint = "";
            for (int tried = 0; tried < TRIES && complaint != null; tried++) {
                complaint = run(builder.start());
            }
            if (complaint != null) {
                complain(complaint);
            }
        } catch (IOException e) {
            complain(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            complain(PROGRAM + " did not end in time");
        }
    }

    /** What went wrong; null if nothing did. */
    private static @Nullable String run(Process process) throws IOException, InterruptedException {
        try {
            if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                return PROGRAM + " did not end within " + LIMIT.toSeconds() + " s";
            }
            if (process.exitValue() == 0) {
                return null;
            }
            try (InputStream said = process.getInputStream()) {
                String text = new String(said.readNBytes(LONGEST_COMPLAINT), StandardCharsets.UTF_8);
                return PROGRAM + ": exit " + process.exitValue() + " " + text.strip();
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private void complain(String why) {
        if (warned.compareAndSet(false, true)) {
            warn.accept("systemd was not told the state of this service: " + why);
        }
    }

    /** Waits until everything was sent, for a limited time. */
    @Override
    public void close() {
        if (sender == null) {
            return;
        }
        sender.shutdown();
        try {
            if (!sender.awaitTermination(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                sender.shutdownNow();
            }
        } catch (InterruptedException e) {
            sender.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
