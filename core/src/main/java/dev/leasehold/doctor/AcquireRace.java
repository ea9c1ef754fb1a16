package dev.leasehold.doctor;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Several clients acquire one lease at the same moment, many times. Each time one must win, and
 * tokens must rise.
 */
final class AcquireRace {
    private final List<LeaseStore> clients;
    private final Ids ids;
    private final LeaseName name;
    private final Race race;

    AcquireRace(List<LeaseStore> clients, Ids ids, LeaseName name, Race race) {
        this.clients = clients;
        this.ids = ids;
        this.name = name;
        this.race = race;
    }

    Finding run() throws InterruptedException {
        long highest = 0;
        race.begin("racing " + clients.size() + " clients for a lease");
        int round = 0;
        while (race.goesOn(round)) {
            round++;
            List<Acquisition.Granted> winners = race();
            if (winners.size() != 1) {
                return Finding.fault("in round " + round + ", " + winners.size() + " of " + clients.size()
                        + " clients were granted the same lease at the same moment");
            }
            Acquisition.Granted winner = winners.get(0);
            if (winner.grant().token().value() <= highest) {
                return Finding.fault("in round " + round + " token "
                        + winner.grant().token() + " was granted after token " + highest + ": tokens do not rise");
            }
            highest = winner.grant().token().value();
            clients.get(0).release(winner.grant(), Duration.ZERO);
        }
        return Finding.good(
                round + " races of " + clients.size() + " clients for one lease: one winner each, tokens rose");
    }

    private List<Acquisition.Granted> race() throws InterruptedException {
        List<Callable<Acquisition>> contenders = new ArrayList<>();
        for (LeaseStore client : clients) {
            AttemptId attempt = AttemptId.of(ids.unique());
            contenders.add(() -> client.acquire(name, attempt, Holder.of("doctor"), Duration.ofMinutes(1)));
        }
        List<Acquisition.Granted> winners = new ArrayList<>();
        for (Acquisition result : race.run(contenders)) {
            if (result instanceof Acquisition.Granted granted) {
                winners.add(granted);
            }
        }
        return winners;
    }
}
