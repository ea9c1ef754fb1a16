package dev.leasehold.doctor;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.util.List;

/**
 * What one client has written, the next one must read at once. A store that answers with old values can grant a token twice
 * after a name was forgotten, and shows operators a past that is over.
 */
final class FreshReads {
    private final List<LeaseStore> clients;
    private final String key;
    private final Race race;

    FreshReads(List<LeaseStore> clients, String key, Race race) {
        this.clients = clients;
        this.key = key;
        this.race = race;
    }

    Finding run() {
        race.begin("checking that each client reads what the others wrote");
        int round = 0;
        String version = clients.get(0).register().read(key).version();
        while (race.goesOn(round)) {
            round++;
            CasRegister writer = clients.get(round % clients.size()).register();
            CasRegister reader = clients.get((round + 1) % clients.size()).register();
            String value = "round " + round;
            if (!writer.compareAndSet(key, version, value)) {
                return Finding.fault("in round " + round + ", a client could not replace the version that another had"
                        + " just read, although nobody else writes: versions are not reliable");
            }
            CasRegister.Reading reading = reader.read(key);
            if (!reading.value().orElse("").equals(value)) {
                return Finding.fault("in round " + round + ", a client read "
                        + reading.value().map(old -> "an old value").orElse("nothing")
                        + " after another client had written: reads are stale");
            }
            version = reading.version();
        }
        return Finding.good(round + " writes were read at once by another client");
    }
}
