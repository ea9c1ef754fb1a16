package dev.leasehold.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Watch;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Keys that are removed and created again: a client remembers the life of a key after it is over. */
@ExtendWith(SharedZooKeeper.class)
class ZooKeeperLivesTest {
    private static final int LIVES = 60;

    private final String key = "key-" + UUID.randomUUID();
    private final ZooKeeperRegister other =
            ZooKeeperRegister.connect(SharedZooKeeper.server().url());
    private final ZooKeeperRegister register =
            ZooKeeperRegister.connect(SharedZooKeeper.server().url());

    @BeforeEach
    void createRoot() {
        other.createRoot();
    }

    @AfterEach
    void close() {
        other.close();
        register.close();
    }

    private void startNextLife() {
        CasRegister.Reading reading = other.read(key);
        if (reading.value().isPresent()) {
            assertThat(other.remove(key, reading.version())).isTrue();
        }
        assertThat(other.compareAndSet(key, CasRegister.ABSENT, "value")).isTrue();
    }

    /** One thread finds out that the life is over while another has a list under way. */
    @Test
    void listHasAKeyWhoseLifeAnotherThreadForgets() {
        for (int life = 0; life < LIVES; life++) {
            startNextLife();
            CompletableFuture<CasRegister.Reading> reading = CompletableFuture.supplyAsync(() -> register.read(key));
            assertThat(register.readings(key, "", 10)).as("life %d", life).containsOnlyKeys(key);
            assertThat(reading.join().value()).isPresent();
        }
    }

    @Test
    void watchLeavesNoneOfItsOwnBehindForALifeThatIsOver() throws IOException, InterruptedException {
        startNextLife();
        int before = FourLetterWord.watches(SharedZooKeeper.server().port());
        try (Watch watch = register.watch(key).orElseThrow()) {
            for (int life = 0; life < LIVES / 4; life++) {
                startNextLife();
                watch.await(Duration.ofSeconds(30));
            }
            assertThat(FourLetterWord.watches(SharedZooKeeper.server().port()) - before)
                    .isLessThanOrEqualTo(2);
        }
    }
}
