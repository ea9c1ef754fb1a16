package dev.leasehold.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.UnifiedJedis;

/**
 * The cheapest way for one thread to wake another through Redis: publish, and receive on another
 * connection.
 */
final class PubSubRoundTrip implements AutoCloseable {
    private static final String CHANNEL = "bench-hearsay";

    private final UnifiedJedis jedis;
    private final Semaphore received = new Semaphore(0);
    private final CountDownLatch listening = new CountDownLatch(1);
    private final JedisPubSub listener = new JedisPubSub() {
        @Override
        public void onSubscribe(String channel, int subscribed) {
            listening.countDown();
        }

        @Override
        public void onMessage(String channel, String message) {
            received.release();
        }
    };

    PubSubRoundTrip(UnifiedJedis jedis) throws InterruptedException {
        this.jedis = jedis;
        Thread thread = new Thread(() -> jedis.subscribe(listener, CHANNEL), CHANNEL);
        thread.setDaemon(true);
        thread.start();
        if (!listening.await(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Redis does not allow this client to subscribe");
        }
    }

    /**
     * From here to the server, to the listener's thread, and back to this thread, which waits for
     * it.
     */
    void pass() throws InterruptedException {
        jedis.publish(CHANNEL, "");
        if (!received.tryAcquire(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a message did not arrive");
        }
    }

    @Override
    public void close() {
        listener.unsubscribe();
    }
}
