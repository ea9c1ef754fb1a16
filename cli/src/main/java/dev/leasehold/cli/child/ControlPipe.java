package dev.leasehold.cli.child;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The wrapper's end of the FIFO. It is opened for the first order, because most commands end before
 * the first renewal. Thread-safe. Never throws, and blocks for two seconds at most: without a
 * supervisor there is no receiver.
 */
final class ControlPipe implements AutoCloseable {
    /**
     * Far below the capacity of a FIFO, so that a write does not block while a frozen watcher reads
     * nothing.
     */
    private static final int MOST_UNREAD = 2048;

    private static final int MOST_WAITS = 400;
    private static final int WAIT_MILLIS = 5;

    private final Path fifo;
    private final BooleanSupplier supervisorAlive;
    private @Nullable FileChannel orders;
    private @Nullable FileInputStream gauge;
    private boolean closed;

    ControlPipe(Path fifo, BooleanSupplier supervisorAlive) {
        this.fifo = fifo;
        this.supervisorAlive = supervisorAlive;
    }

    /** Writes one order; false if it could not be delivered. */
    synchronized boolean send(String order) {
        // An interrupted thread may still have to stop its command, but a channel refuses to write
        // for it.
        boolean interrupted = Thread.interrupted();
        try {
            FileChannel channel = open();
            FileInputStream unread = gauge;
            if (channel == null || unread == null || unread.available() > MOST_UNREAD) {
                return false;
            }
            channel.write(ByteBuffer.wrap((order + "\n").getBytes(StandardCharsets.US_ASCII)));
            return true;
        } catch (IOException gone) {
            return false;
        } catch (InterruptedException e) {
            interrupted = true;
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable FileChannel open() throws IOException, InterruptedException {
        if (orders == null && !closed) {
            for (int waits = 0; !Files.exists(fifo); waits++) {
                if (waits == MOST_WAITS || !supervisorAlive.getAsBoolean()) {
                    return null;
                }
                Thread.sleep(WAIT_MILLIS);
            }
            // Opened for reading as well, or the call would wait for a reader. Then opening the
            // gauge waits for no writer.
            FileChannel opened = FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                gauge = new FileInputStream(fifo.toFile());
            } catch (IOException failure) {
                opened.close(); // Otherwise each further order would leak a file descriptor.
                throw failure;
            }
            orders = opened;
        }
        return orders;
    }

    @Override
    public synchronized void close() {
        closed = true;
        try (FileChannel first = orders;
                FileInputStream second = gauge) {
            orders = null;
            gauge = null;
        } catch (IOException harmless) {
            // Nothing is buffered here.
        }
    }
}
