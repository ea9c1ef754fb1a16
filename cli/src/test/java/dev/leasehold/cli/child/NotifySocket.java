package dev.leasehold.cli.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What systemd is for a service with {@code Type=notify}: a datagram socket of the Unix domain, which Java does not have.
 * Python writes each message into a file, one assignment per line, and answers a barrier as systemd does, by closing it.
 */
public final class NotifySocket implements AutoCloseable {
    private static final String RECEIVER =
            """
            import os, socket, sys
            receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            receiver.bind(sys.argv[1])
            with open(sys.argv[2], 'a', buffering=1) as log:
                while True:
                    data, barriers, flags, sender = socket.recv_fds(receiver, 4096, 4)
                    log.write(data.decode().rstrip('\\n') + '\\n')
                    for barrier in barriers:
                        os.close(barrier)
            """;

    private final Path socket;
    private final Path log;
    private final Process receiver;

    /** Listens below this directory, whose path must be short. */
    public NotifySocket(Path directory) throws IOException, InterruptedException {
        socket = directory.resolve("notify");
        log = Files.createFile(directory.resolve("notified"));
        receiver = new ProcessBuilder("python3", "-c", RECEIVER, socket.toString(), log.toString())
                .inheritIO()
                .start();
        while (!Files.exists(socket)) {
            if (!receiver.isAlive()) {
                throw new IOException("the receiver of notifications did not start");
            }
            Thread.sleep(20);
        }
    }

    /** The value of NOTIFY_SOCKET. */
    public String address() {
        return socket.toString();
    }

    /** What was received, without the barriers: one assignment per line. */
    public String received() {
        try {
            return Files.readString(log).replace("BARRIER=1\n", "");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        receiver.destroyForcibly().waitFor();
    }
}
