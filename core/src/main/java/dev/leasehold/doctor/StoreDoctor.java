package dev.leasehold.doctor;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Examines a store through several independent clients, as several hosts would use it. */
public final class StoreDoctor {
    /** How many rounds each race has, unless told otherwise. */
    public static final int ROUNDS = 1000;

    private static final int CLIENTS = 6;

    private final Supplier<LeaseStore> opener;
    private final Ids ids = new SystemIds();
    private final LeaseTerms terms;
    private final ExaminationProgress progress;
    private final int rounds;

    /**
     * Prepares an examination.
     *
     * @param opener opens another client of the same store
     * @param terms the terms that will be used with it
     * @param rounds how many rounds each race has, within 10 seconds
     * @param progress is told how far the examination is, and may end it
     */
    public StoreDoctor(Supplier<LeaseStore> opener, LeaseTerms terms, int rounds, ExaminationProgress progress) {
        this.opener = opener;
        this.terms = terms;
        this.progress = progress;
        this.rounds = rounds;
    }

    /** One part of the examination. */
    private interface Check {
        List<Finding> run() throws InterruptedException;
    }

    public Examination examine() throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        List<LeaseStore> clients = new ArrayList<>();
        try (Scratch scratch = new Scratch(opener.get(), ids);
                Race race = new Race(CLIENTS, rounds, progress)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(opener.get());
            }
            for (Check check : checks(clients, scratch, race)) {
                if (!progress.isStopped()) {
                    findings.addAll(check.run());
                }
            }
            findings.addAll(scratch.cleanUp());
            findings.addAll(new Leftovers(clients.get(0)).remove());
            return new Examination(grade(findings, clients.get(0)), findings);
        } finally {
            clients.forEach(LeaseStore::close);
        }
    }

    private List<Check> checks(List<LeaseStore> clients, Scratch scratch, Race race) {
        return List.of(
                () -> List.of(new AcquireRace(clients, ids, scratch.name("race"), race).run()),
                () -> List.of(new CreateRace(clients, scratch, race).run()),
                () -> List.of(new RegisterRace(clients, scratch.key("race"), race).run()),
                () -> List.of(new FreshReads(clients, scratch.key("fresh"), race).run()),
                () -> {
                    progress.step("checking that tokens survive");
                    return List.of(new TokenSurvival(opener, ids, scratch.name("survival")).run());
                },
                () -> {
                    progress.step("measuring round trips and the clock");
                    return measure(clients.get(0), scratch);
                });
    }

    private List<Finding> measure(LeaseStore client, Scratch scratch) throws InterruptedException {
        Measurements measurements = new Measurements(client, ids, scratch.name("times"));
        List<Finding> findings = new ArrayList<>(measurements.run());
        findings.addAll(measurements.tolerance(terms));
        for (String warning : client.warnings()) {
            findings.add(Finding.warning(warning));
        }
        return findings;
    }

    private Grade grade(List<Finding> findings, LeaseStore store) {
        for (Finding finding : findings) {
            if (finding.kind() == Finding.Kind.FAULT) {
                return Grade.UNSAFE;
            }
        }
        if (progress.isStopped()) {
            return Grade.UNKNOWN;
        }
        return store.atomicBecause()
                .map(reason -> {
                    findings.add(Finding.good("atomic because " + reason));
                    return Grade.ATOMIC;
                })
                .orElse(Grade.OBSERVED);
    }

    /** A duration in milliseconds, with two decimals. */
    static String millis(Duration duration) {
        long hundredths = duration.toNanos() / 10_000;
        String rest = Long.toString(hundredths % 100 + 100).substring(1);
        return hundredths / 100 + "." + rest + " ms";
    }
}
