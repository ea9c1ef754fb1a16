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
 * The wrapper's end of the FIFO. Opened at the first order, since most commands end before the first renewal.
 * Thread-safe. Never blocks for long and never throws: when the guard is gone there is nobody to tell.
 */
final class ControlPipe implements AutoCloseable {
    /** Far below what a FIFO holds, so that a write cannot block when the watcher is frozen and reads nothing. */
    private static final int MOST_UNREAD = 2048;

    private static final int MOST_WAITS = 400;
    private static final int WAIT_MILLIS = 5;

    private final Path fifo;
    private final BooleanSupplier guardAlive;
    private @Nullable FileChannel orders;
    private @Nullable FileInputStream gauge;
    private boolean closed;

    ControlPipe(Path fifo, BooleanSupplier guardAlive) {
        this.fifo = fifo;
        this.guardAlive = guardAlive;
    }

    /** Writes one order; false if it could not be delivered. */
    synchronized boolean send(String order) {
        // An interrupted thread may still have to end its command: a channel would refuse to write for it.
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
                if (waits == MOST_WAITS || !guardAlive.getAsBoolean()) {
                    return null;
                }
                Thread.sleep(WAIT_MILLIS);
            }
            // For reading too, or opening would wait for a reader; and then the gauge's does not wait for a writer.
            FileChannel opened = FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                gauge = new FileInputStream(fifo.toFile());
            } catch (IOException failure) {
                opened.close(); // or each order that is tried again would keep one more file open
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
