package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.CasRegister;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many clients at the same moment, and many callers of one client. Part of {@link CasRegisterContract}. */
abstract class RegisterRaceTests extends RegisterFixture {
    private static final int RACERS = 6;
    private static final int ROUNDS = 20;

    /** Callers of one client. */
    private static final int CROWD = 16;

    private final RegisterFixture contract;

    RegisterRaceTests(RegisterFixture contract) {
        this.contract = contract;
    }

    @Override
    protected CasRegister openRegister() {
        return contract.openRegister();
    }

    @Test
    void oneOfManyCreatorsWins() throws Exception {
        List<CasRegister> clients = List.of(register, openRegister(), openRegister());
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                String key = key("race-" + round);
                List<Boolean> won =
                        racers.race(i -> clients.get(i % 3).compareAndSet(key, CasRegister.ABSENT, "racer " + i));
                assertThat(won).containsOnlyOnce(true);
                assertThat(valueOf(key)).isEqualTo("racer " + won.indexOf(true));
            }
        }
    }

    @Test
    void oneOfManyWritersOfOneVersionWins() throws Exception {
        List<CasRegister> clients = List.of(register, openRegister(), openRegister());
        String key = key("race-version");
        write(key, CasRegister.ABSENT, "start");
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                String version = register.read(key).version();
                String suffix = " of round " + round;
                List<Boolean> won =
                        racers.race(i -> clients.get(i % 3).compareAndSet(key, version, "racer " + i + suffix));
                assertThat(won).containsOnlyOnce(true);
                assertThat(valueOf(key)).isEqualTo("racer " + won.indexOf(true) + suffix);
            }
        }
    }

    @Test
    void noIncrementIsLost() throws Exception {
        List<CasRegister> clients = List.of(register, openRegister(), openRegister());
        String key = key("counter");
        write(key, CasRegister.ABSENT, "0");
        try (Racers racers = new Racers(RACERS)) {
            racers.race(i -> {
                for (int done = 0; done < ROUNDS; done++) {
                    increment(clients.get(i % 3), key);
                }
                return true;
            });
        }
        assertThat(valueOf(key)).isEqualTo(Integer.toString(RACERS * ROUNDS));
    }

    /** A register may send the writes of its callers together, but each has its own answer. */
    @Test
    void callersOfOneClientDoNotDisturbEachOther() throws Exception {
        String shared = key("crowd");
        write(shared, CasRegister.ABSENT, "0");
        try (Racers racers = new Racers(CROWD)) {
            racers.race(i -> {
                if (i % 4 == 0) {
                    for (int done = 0; done < ROUNDS; done++) {
                        increment(register, shared);
                    }
                } else {
                    writeAndRemove(key("crowd-" + i), "value of " + i);
                }
                return true;
            });
        }
        assertThat(valueOf(shared)).isEqualTo(Integer.toString(CROWD / 4 * ROUNDS));
    }

    /** Nobody else writes this key, so every write must be the caller's own. */
    private void writeAndRemove(String key, String value) {
        String first = write(key, CasRegister.ABSENT, value);
        for (int done = 0; done < ROUNDS; done++) {
            String version = write(key, register.read(key).version(), value + " in round " + done);
            assertThat(register.compareAndSet(key, first, "stale")).isFalse();
            assertThat(register.read(key).version()).isEqualTo(version);
            assertThat(valueOf(key)).isEqualTo(value + " in round " + done);
        }
        if (register.remove(key, register.read(key).version())) {
            assertThat(register.read(key).value()).isEmpty();
        }
    }

    private static void increment(CasRegister client, String key) {
        for (int tries = 0; tries < 100_000; tries++) {
            CasRegister.Reading reading = client.read(key);
            int next = Integer.parseInt(reading.value().orElseThrow()) + 1;
            if (client.compareAndSet(key, reading.version(), Integer.toString(next))) {
                return;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("100000 lost races in a row: compare-and-set never succeeds");
    }
}
