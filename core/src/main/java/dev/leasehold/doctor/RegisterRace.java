package dev.leasehold.doctor;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Several clients increment one number by compare-and-set. If the sum is too low, an update was
 * lost.
 */
final class RegisterRace {
    private static final int INCREMENTS = 20;
    private static final int MAX_TRIES = 10_000;

    private final List<LeaseStore> clients;
    private final String key;
    private final Race race;

    RegisterRace(List<LeaseStore> clients, String key, Race race) {
        this.clients = clients;
        this.key = key;
        this.race = race;
    }

    Finding run() throws InterruptedException {
        race.begin("racing " + clients.size() + " clients for compare-and-set");
        List<Callable<Boolean>> contenders = new ArrayList<>();
        for (LeaseStore client : clients) {
            contenders.add(() -> increment(client.register()));
        }
        int expected = 0;
        while (race.goesOn(expected / clients.size())) {
            for (boolean done : race.run(contenders)) {
                if (!done) {
                    return Finding.warning("compare-and-set: contention was too high to finish the race");
                }
            }
            expected += clients.size() * INCREMENTS;
            int sum = number(clients.get(0).register().read(key));
            if (sum != expected) {
                return Finding.fault("of " + expected + " concurrent increments by compare-and-set " + (expected - sum)
                        + " were lost: it is not atomic");
            }
        }
        return Finding.good(expected + " concurrent increments by compare-and-set: none was lost");
    }

    private boolean increment(CasRegister register) {
        int done = 0;
        for (int tries = 0; tries < MAX_TRIES && done < INCREMENTS; tries++) {
            CasRegister.Reading reading = register.read(key);
            if (register.compareAndSet(key, reading.version(), Integer.toString(number(reading) + 1))) {
                done++;
            }
        }
        return done == INCREMENTS;
    }

    private static int number(CasRegister.Reading reading) {
        return reading.value().map(Integer::parseInt).orElse(0);
    }
}
