package dev.leasehold.doctor;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Examines a store through several independent clients, as several hosts would use it. */
public final class StoreDoctor {
    /** How many rounds each race has, unless told otherwise. */
    public static final int ROUNDS = 1000;

    private static final int CLIENTS = 6;

    private final Supplier<LeaseStore> opener;
    private final Ids ids = new SystemIds();
    private final LeaseTerms terms;
    private final Consumer<String> progress;
    private final int rounds;

    /**
     * Prepares an examination.
     *
     * @param opener opens another client of the same store
     * @param terms the terms that will be used with it
     * @param rounds how many rounds each race has, within 10 seconds
     * @param progress receives messages, because the examination takes a while
     */
    public StoreDoctor(Supplier<LeaseStore> opener, LeaseTerms terms, int rounds, Consumer<String> progress) {
        this.opener = opener;
        this.terms = terms;
        this.progress = progress;
        this.rounds = rounds;
    }

    public Examination examine() throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        List<LeaseStore> clients = new ArrayList<>();
        try (Scratch scratch = new Scratch(opener.get(), ids);
                Race race = new Race(CLIENTS, rounds, progress)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(opener.get());
            }
            findings.add(new AcquireRace(clients, ids, scratch.name("race"), race).run());
            findings.add(new CreateRace(clients, scratch, race).run());
            findings.add(new RegisterRace(clients, scratch.key("race"), race).run());
            findings.add(new FreshReads(clients, scratch.key("fresh"), race).run());
            progress.accept("checking that tokens survive");
            findings.add(new TokenSurvival(opener, ids, scratch.name("survival")).run());
            progress.accept("measuring round trips and the clock");
            Measurements measurements = new Measurements(clients.get(0), ids, scratch.name("times"));
            findings.addAll(measurements.run());
            findings.addAll(measurements.tolerance(terms));
            for (String warning : clients.get(0).warnings()) {
                findings.add(Finding.warning(warning));
            }
            findings.addAll(scratch.cleanUp());
            return new Examination(grade(findings, clients.get(0)), findings);
        } finally {
            clients.forEach(LeaseStore::close);
        }
    }

    private static Grade grade(List<Finding> findings, LeaseStore store) {
        for (Finding finding : findings) {
            if (finding.kind() == Finding.Kind.FAULT) {
                return Grade.UNSAFE;
            }
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
