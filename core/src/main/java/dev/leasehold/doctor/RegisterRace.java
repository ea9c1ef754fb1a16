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
    private static final int INCREMENTS = 40;
    private static final int MAX_TRIES = 10_000;

    private final List<LeaseStore> clients;
    private final String key;

    RegisterRace(List<LeaseStore> clients, String key) {
        this.clients = clients;
        this.key = key;
    }

    Finding run() throws InterruptedException {
        List<Callable<Boolean>> contenders = new ArrayList<>();
        for (LeaseStore client : clients) {
            contenders.add(() -> increment(client.register()));
        }
        boolean all = true;
        for (boolean done : Race.run(contenders)) {
            all &= done;
        }
        int expected = clients.size() * INCREMENTS;
        int sum = number(clients.get(0).register().read(key));
        if (!all) {
            return Finding.warning("compare-and-set: contention was too high to finish the race");
        }
        return sum == expected
                ? Finding.good(expected + " concurrent increments by compare-and-set: none was lost")
                : Finding.fault("of " + expected + " concurrent increments by compare-and-set " + (expected - sum)
                        + " were lost: it is not atomic");
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
