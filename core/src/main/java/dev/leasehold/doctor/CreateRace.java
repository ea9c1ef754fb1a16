package dev.leasehold.doctor;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Several clients create the same key at the same moment. One must succeed, and its value must stay. */
final class CreateRace {
    private final List<LeaseStore> clients;
    private final Scratch scratch;
    private final Race race;

    CreateRace(List<LeaseStore> clients, Scratch scratch, Race race) {
        this.clients = clients;
        this.scratch = scratch;
        this.race = race;
    }

    Finding run() throws InterruptedException {
        race.begin("racing " + clients.size() + " clients to create a record");
        int round = 0;
        String key = scratch.key("create");
        while (race.goesOn(round)) {
            round++;
            List<Boolean> won = create(key);
            int winners = (int) won.stream().filter(one -> one).count();
            if (winners != 1) {
                return Finding.fault("in round " + round + ", " + winners + " of " + clients.size()
                        + " clients created the same record: create-only is not atomic");
            }
            CasRegister register = clients.get(round % clients.size()).register();
            CasRegister.Reading reading = register.read(key);
            String expected = "client " + won.indexOf(true);
            if (!reading.value().orElse("").equals(expected)) {
                return Finding.fault("in round " + round + ", the record of the client that created it was "
                        + reading.value()
                                .map(value -> "replaced by that of another")
                                .orElse("lost"));
            }
            if (!register.remove(key, reading.version())) {
                key = scratch.key("create-" + round);
            }
        }
        return Finding.good(round + " races of " + clients.size() + " clients to create a record: one winner each");
    }

    private List<Boolean> create(String key) throws InterruptedException {
        List<Callable<Boolean>> contenders = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            CasRegister register = clients.get(i).register();
            String value = "client " + i;
            contenders.add(() -> register.compareAndSet(key, CasRegister.ABSENT, value));
        }
        return race.run(contenders);
    }
}
