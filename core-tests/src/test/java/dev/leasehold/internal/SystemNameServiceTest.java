package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A name service that is down answers late, and the explanation of a failure must not wait for it. */
class SystemNameServiceTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final CountDownLatch up = new CountDownLatch(1);
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    /** Knows one host, and keeps who asks for the silent ones waiting until it is up. */
    private Object find(String name) throws UnknownHostException {
        asked.add(name);
        if (name.startsWith("silent")) {
            try {
                up.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        if (name.equals("known")) {
            return name;
        }
        throw new UnknownHostException(name);
    }

    @Test
    void noHostHasOneOfTheNames() {
        SystemNameService names = new SystemNameService(this::find, LONG);
        assertThat(names.explain(List.of("a", "b"))).contains("no host has the name a or b", "nothing was sent");
        assertThat(names.explain(List.of("a", "known"))).isNull();
    }

    @Test
    @Timeout(60)
    void aSilentNameServiceIsNotWaitedForAndIsNamed() throws Exception {
        SystemNameService names = new SystemNameService(this::find, SHORT);
        for (int call = 0; call < 3; call++) {
            assertThat(names.explain(List.of("silent-1", "silent-2")))
                    .contains("the name service of this machine did not answer within 50 ms", "silent-1 and silent-2")
                    .contains("nothing was sent");
        }
        while (asked.size() < 2) {
            Thread.sleep(10);
        }
        assertThat(asked).as("asked once each").containsExactlyInAnyOrder("silent-1", "silent-2");
        up.countDown();
        assertThat(new SystemNameService(this::find, LONG).explain(List.of("silent-1")))
                .contains("no host has the name silent-1");
    }

    @Test
    @Timeout(60)
    void oneNameThatIsKnownIsEnough() {
        try {
            assertThat(new SystemNameService(this::find, LONG).explain(List.of("silent", "known")))
                    .isNull();
        } finally {
            up.countDown();
        }
    }
}
