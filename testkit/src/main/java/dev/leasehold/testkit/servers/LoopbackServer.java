package dev.leasehold.testkit.servers;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server in a process of its own, on a free loopback port and with its own directory; closing removes both. */
public abstract class LoopbackServer implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final Path directory;
    private final int port = LoopbackPort.free();
    private @Nullable Process process;

    /** @param name of the directory, for people who find it */
    protected LoopbackServer(String name) throws IOException {
        directory = Files.createTempDirectory("leasehold-" + name);
        // JUnit closes servers, unless somebody ends its JVM.
        Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    }

    /** The command line, for this directory and this port. */
    protected abstract List<String> command() throws IOException;

    /** Whether a server that accepts connections is ready; this one asked it. */
    protected boolean isReady(Socket connection) throws IOException {
        return true;
    }

    /** Starts the server for the first time; if that fails, nothing is left of it. */
    protected final void startFirst() throws IOException, InterruptedException {
        boolean started = false;
        try {
            startAgain();
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /** Starts the server with what it kept, and returns when it is ready. */
    public final void startAgain() throws IOException, InterruptedException {
        Path log = directory.resolve("log");
        Process started = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process = started;
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS && started.isAlive()) {
            try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (isReady(connection)) {
                    return;
                }
            } catch (IOException e) {
                // The server is not up yet.
            }
            Thread.sleep(20);
        }
        throw new IOException(getClass().getSimpleName() + " did not start:\n" + Files.readString(log));
    }

    public final int port() {
        return port;
    }

    public final Path directory() {
        return directory;
    }

    /** Simulates a crash: the server cannot save anything. */
    public final void kill() throws InterruptedException {
        end();
        if (process != null) {
            process.waitFor();
        }
    }

    private void end() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    /** Sends the process a signal, such as STOP. */
    protected final void signal(String name) throws IOException, InterruptedException {
        Process running = process;
        if (running != null) {
            new ProcessBuilder("kill", "-" + name, Long.toString(running.pid()))
                    .start()
                    .waitFor();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
