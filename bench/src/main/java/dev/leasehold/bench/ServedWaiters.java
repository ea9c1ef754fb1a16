package dev.leasehold.bench;

import dev.leasehold.client.HttpLeaseStore;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Many clients that wait for one lease, each on a connection of its own. */
final class ServedWaiters {
    private static final int CLIENTS = 5000;
    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final int MAX_ROUNDS = 120;
    private static final LeaseName NAME = LeaseName.of("bench/wanted");
    private static final int MOST_THREADS = 100;

    private final Targets targets;

    ServedWaiters(Targets targets) {
        this.targets = targets;
    }

    void run(ServedStore server) throws Exception {
        List<SocketChannel> clients = new ArrayList<>();
        try (LeaseStore store = HttpLeaseStore.open(server.url())) {
            Grant held = ((Acquisition.Granted) store.acquire(
                            NAME, AttemptId.of("attempt-of-the-holder"), Holder.of("bench"), Duration.ofHours(1)))
                    .grant();
            int before = server.threads();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(ask(server));
            }
            awaitQuiet(server);
            int threads = server.threads();
            int answered = answered(clients);
            long start = System.nanoTime();
            store.release(held, Duration.ZERO);
            while (answered(clients) == answered) {
                Thread.onSpinWait();
            }
            long passedOn = System.nanoTime() - start;
            System.out.println();
            System.out.println(CLIENTS + " clients wait for a lease of one server: " + threads
                    + " threads of the server (" + before + " before), at most " + Math.round(server.maxMegabytes())
                    + " MB, " + answered + " answered too early; the first one had the lease " + passedOn / 1_000_000
                    + " ms after it was given back");
            targets.atMost("threads of a server with " + CLIENTS + " clients that wait", MOST_THREADS, threads);
            targets.atMost("clients that did not wait", 0, answered);
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    private static SocketChannel ask(ServedStore server) throws IOException {
        SocketChannel client =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        String body = "{\"name\":\"" + NAME + "\",\"ttlMs\":60000,\"waitMs\":600000}";
        String call = "POST /v1/leases/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        client.write(ByteBuffer.wrap(call.getBytes(StandardCharsets.US_ASCII)));
        client.configureBlocking(false);
        return client;
    }

    /** All calls have arrived when the server has nothing to do but to ask for the first client. */
    private static void awaitQuiet(ServedStore server) throws Exception {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Duration before = server.cpu();
            Thread.sleep(QUIET.toMillis());
            if (round > 2 && server.cpu().minus(before).toMillis() < 50) {
                return;
            }
        }
        throw new IOException("the server is busy although all clients wait");
    }

    private static int answered(List<SocketChannel> clients) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        int count = 0;
        for (SocketChannel client : clients) {
            one.clear();
            // Reads one byte of an answer, or finds the connection closed.
            count += client.read(one) != 0 ? 1 : 0;
        }
        return count;
    }
}
