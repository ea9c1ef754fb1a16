package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Concurrent clients, limited in rounds and in time. Part of {@link LeaseStoreContract}. */
abstract class LeaseStoreRaceTests extends StoreFixture {
    private static final int RACERS = 6;
    private static final int CLIENTS = 3;
    private static final int MAX_ROUNDS = 150;
    private static final int MIN_ROUNDS = 10;
    private static final int MAX_STEPS = 300;
    private static final int MIN_STEPS = 20;
    private static final long NANOS = 1_500_000_000L;

    LeaseStoreRaceTests(StoreContract contract) {
        super(contract);
    }

    @Test
    void oneOfManyRacersWinsANewName() throws Exception {
        LeaseName base = name("race-new");
        raceForRounds(round -> LeaseName.of(base + "/" + round), ignored -> {});
    }

    @Test
    void oneOfManyRacersWinsAReleasedName() throws Exception {
        LeaseName name = name("race-released");
        raceForRounds(round -> name, winner -> assertThat(store.release(winner, Duration.ZERO))
                .isInstanceOf(Release.Released.class));
        assertThat(store.history(name, 1).get(0).reason()).isEqualTo(TransferReason.RELEASED);
    }

    @Test
    void oneOfManyRacersWinsAnExpiredName() throws Exception {
        LeaseName name = name("race-expired");
        List<LeaseStore> clients = clients();
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < 3; round++) {
                Grant lapsed = lapsedGrant(name);
                Grant winner = onlyWinner(racers, clients, name);
                assertThat(winner.token()).isEqualTo(lapsed.token().next());
                assertThat(record(name).owner().reason()).isEqualTo(TransferReason.EXPIRED);
                store.release(winner, Duration.ZERO);
            }
        }
    }

    @Test
    void oneAttemptSentByManyClientsIsGrantedOnce() throws Exception {
        LeaseName name = name("race-replay");
        var attempt = attempt();
        List<LeaseStore> clients = clients();
        try (Racers racers = new Racers(RACERS)) {
            List<Grant> grants =
                    racers.race(i -> granted(clients.get(i % CLIENTS).acquire(name, attempt, ALICE, LONG))
                            .grant());
            assertThat(grants).containsOnly(grants.get(0));
            assertThat(store.history(name, 10)).hasSize(1);
        }
    }

    @Test
    void oneOfManyConcurrentReleasesIsTheFirst() throws Exception {
        List<LeaseStore> clients = clients();
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < MIN_ROUNDS; round++) {
                Grant grant = grantLong(name("race-release"), ALICE);
                List<Release> releases =
                        racers.race(i -> clients.get(i % CLIENTS).release(grant, Duration.ZERO));
                assertThat(releases)
                        .filteredOn(Release.Released.class::isInstance)
                        .hasSize(1);
                assertThat(releases)
                        .filteredOn(Release.AlreadyReleased.class::isInstance)
                        .hasSize(RACERS - 1);
            }
        }
    }

    @Test
    void concurrentTakeoversGetDifferentTokens() throws Exception {
        LeaseName name = name("race-takeover");
        List<LeaseStore> clients = clients();
        try (Racers racers = new Racers(RACERS)) {
            List<Long> tokens =
                    racers.race(i -> granted(clients.get(i % CLIENTS).intervene(takeover(name, attempt())))
                            .grant()
                            .token()
                            .value());
            long first = firstToken();
            assertThat(tokens).containsExactlyInAnyOrder(first, first + 1, first + 2, first + 3, first + 4, first + 5);
            assertThat(record(name).token().value()).isEqualTo(first + RACERS - 1);
        }
    }

    @Test
    void oneOfManyTakesOverATokenThatAllHaveSeen() throws Exception {
        LeaseName name = name("race-seen");
        List<LeaseStore> clients = clients();
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < MIN_ROUNDS; round++) {
                FencingToken seen = granted(store.intervene(takeover(name, attempt())))
                        .grant()
                        .token();
                List<Acquisition> answers = racers.race(i -> clients.get(i % CLIENTS)
                        .intervene(takeover(name, attempt()).ifTokenIs(seen)));
                assertThat(answers)
                        .filteredOn(Acquisition.Granted.class::isInstance)
                        .hasSize(1);
                assertThat(answers)
                        .filteredOn(Acquisition.Moved.class::isInstance)
                        .hasSize(RACERS - 1);
                assertThat(record(name).token()).isEqualTo(seen.next());
            }
        }
    }

    @Test
    void tokensRiseAndOwnersNeverOverlapUnderRandomCalls() throws Exception {
        List<LeaseName> names = List.of(name("random-a"), name("random-b"));
        List<LeaseStore> clients = clients();
        RaceLog log = new RaceLog();
        long end = System.nanoTime() + NANOS;
        try (Racers racers = new Racers(RACERS)) {
            racers.race(i -> {
                RandomClient randomClient = new RandomClient(i, clients.get(i % CLIENTS), log);
                for (int step = 0; step < MAX_STEPS && (step < MIN_STEPS || System.nanoTime() < end); step++) {
                    randomClient.step(names.get(randomClient.random.nextInt(names.size())));
                }
                return true;
            });
        }
        for (LeaseName name : names) {
            log.check(name, record(name).token(), store.history(name, LeaseStore.HISTORY_KEPT));
        }
    }

    private List<LeaseStore> clients() {
        List<LeaseStore> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client());
        }
        return clients;
    }

    private interface NameOfRound {
        LeaseName of(int round);
    }

    private interface AfterRound {
        void accept(Grant winner);
    }

    private void raceForRounds(NameOfRound names, AfterRound after) throws Exception {
        List<LeaseStore> clients = clients();
        long end = System.nanoTime() + NANOS;
        Map<LeaseName, Long> tokens = new HashMap<>();
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < MAX_ROUNDS && (round < MIN_ROUNDS || System.nanoTime() < end); round++) {
                Grant winner = onlyWinner(racers, clients, names.of(round));
                assertThat(winner.token().value())
                        .isEqualTo(tokens.merge(winner.name(), firstToken(), (before, one) -> before + 1));
                after.accept(winner);
            }
        }
    }

    private Grant onlyWinner(Racers racers, List<LeaseStore> clients, LeaseName name) throws Exception {
        List<Acquisition> answers =
                racers.race(i -> clients.get(i % CLIENTS).acquire(name, attempt(), Holder.of("racer " + i), LONG));
        List<Acquisition> winners =
                answers.stream().filter(Acquisition.Granted.class::isInstance).toList();
        assertThat(winners).as("winners of one round").hasSize(1);
        Grant winner = granted(winners.get(0)).grant();
        for (Acquisition answer : answers) {
            if (answer instanceof Acquisition.Busy busy) {
                assertThat(busy.token()).isEqualTo(winner.token());
            }
        }
        assertThat(record(name).owner().attempt()).isEqualTo(winner.attempt());
        return winner;
    }

    /**
     * One client that calls random operations. Its seed makes it repeatable, except for the timing.
     */
    private final class RandomClient {
        private final Random random;
        private final LeaseStore client;
        private final RaceLog log;
        private final Map<LeaseName, Grant> held = new HashMap<>();

        RandomClient(int number, LeaseStore client, RaceLog log) {
            this.random = new Random(number);
            this.client = client;
            this.log = log;
        }

        void step(LeaseName name) {
            int chance = random.nextInt(100);
            Grant grant = held.get(name);
            if (chance < 4) {
                long began = log.begin();
                own(client.intervene(takeover(name, attempt())), began);
            } else if (chance < 8) {
                long began = log.begin();
                Acquisition.Granted moved = granted(client.intervene(cancel(name, attempt())));
                log.granted(moved.grant(), moved.transfer(), began);
            } else if (chance < 16) {
                inspectName(name);
            } else if (grant == null) {
                acquire(name);
            } else if (chance < 50) {
                renew(grant);
            } else if (chance < 65) {
                progress(grant);
            } else if (chance < 70) {
                abandon(grant);
            } else {
                release(grant);
            }
        }

        private void acquire(LeaseName name) {
            long began = log.begin();
            Acquisition answer = client.acquire(name, attempt(), ALICE, LONG);
            if (answer instanceof Acquisition.Busy busy) {
                log.add(RaceLog.Kind.SEEN, name, busy.token(), began);
            } else {
                own(answer, began);
            }
        }

        private void own(Acquisition answer, long began) {
            Acquisition.Granted owned = granted(answer);
            log.granted(owned.grant(), owned.transfer(), began);
            held.put(owned.grant().name(), owned.grant());
        }

        private void inspectName(LeaseName name) {
            long began = log.begin();
            client.inspect(name)
                    .ifPresent(s -> log.add(RaceLog.Kind.SEEN, name, s.lease().token(), began));
        }

        private void renew(Grant grant) {
            long began = log.begin();
            Renewal renewal =
                    client.renew(List.of(new RenewRequest(grant, LONG))).get(0);
            if (renewal instanceof Renewal.Renewed) {
                log.add(RaceLog.Kind.RENEWED, grant.name(), grant.token(), began);
            } else if (!(renewal instanceof Renewal.Unknown)) {
                // It is unknown where a name is locked for too long, as on a busy machine.
                lost(grant, lossOf(renewal), began);
            }
        }

        private void progress(Grant grant) {
            long began = log.begin();
            ProgressReport report = client.progress(grant, REASON, null);
            if (report instanceof ProgressReport.NotCurrent not) {
                lost(grant, not.loss(), began);
            } else {
                log.add(RaceLog.Kind.PROGRESSED, grant.name(), grant.token(), began);
            }
        }

        private void abandon(Grant grant) {
            long began = log.begin();
            client.abandon(grant.name(), attemptOf(grant));
            log.add(RaceLog.Kind.ABANDONED, grant.name(), grant.token(), began);
            held.remove(grant.name());
        }

        private void release(Grant grant) {
            long began = log.begin();
            Release release = client.release(grant, Duration.ZERO);
            if (release instanceof Release.Released) {
                log.add(RaceLog.Kind.RELEASED, grant.name(), grant.token(), began);
                held.remove(grant.name());
            } else {
                lost(grant, lossOf(release), began);
            }
        }

        /**
         * No lease expires here, and no client releases the lease of another, so a lease can only
         * be superseded.
         */
        private void lost(Grant grant, Loss loss, long began) {
            assertThat(loss).isInstanceOf(Loss.Superseded.class);
            log.add(
                    RaceLog.Kind.SEEN,
                    grant.name(),
                    ((Loss.Superseded) loss).by().token(),
                    began);
            assertThat(client.release(grant, Duration.ZERO))
                    .as("release by a zombie")
                    .isInstanceOf(Release.NotCurrent.class);
            held.remove(grant.name());
        }
    }
}
