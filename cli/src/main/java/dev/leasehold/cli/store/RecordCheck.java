package dev.leasehold.cli.store;

import dev.leasehold.cli.child.Interruption;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.ProgressBar;
import dev.leasehold.cli.work.WorkPages;
import dev.leasehold.events.LeasePages;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkLedger;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Reads every record of a store, shows how far it is, and finds the records that cannot be read. */
final class RecordCheck {
    private static final int PAGE = 500;

    private final LeaseStore store;
    private final Console console;
    private final Interruption interruption;
    private final List<String> damage;

    /** @param damage receives what is wrong with each record that cannot be read */
    RecordCheck(LeaseStore store, Console console, Interruption interruption, List<String> damage) {
        this.store = store;
        this.console = console;
        this.interruption = interruption;
        this.damage = damage;
    }

    /**
     * @param count how many leases there are
     * @throws Interruption.Requested if the program is interrupted
     */
    void leases(long count, Consumer<LeaseSnapshot> each) {
        try (ProgressBar progress = new ProgressBar(console, "leases read", count)) {
            LeasePages pages = new LeasePages(store, damage::add);
            long read = 0;
            while (pages.hasNext()) {
                interruption.check();
                for (LeaseSnapshot lease : pages.next()) {
                    each.accept(lease);
                    progress.accept(++read);
                }
            }
        }
    }

    /** The work items, the jobs, the logs of runs and the remembered targets, which nobody has counted. */
    void register() {
        try (ProgressBar progress = new ProgressBar(console, "records read", 0)) {
            Reading reading = new Reading(progress);
            WorkPages work = new WorkPages(WorkLedger.over(store), null, damage::add);
            while (work.hasNext()) {
                interruption.check();
                work.next().forEach(item -> reading.step());
            }
            JobRecords jobs = new JobRecords(store.register());
            for (LeaseName job : jobs.all()) {
                reading.check("job " + job, () -> jobs.read(job));
            }
            RunLog log = new RunLog(store.register());
            each(log::names, name -> reading.check("the log of the runs of " + name, () -> log.of(name)));
            TargetMemory targets = new TargetMemory(store.register());
            each(targets::names, name -> reading.check("the record of the targets of " + name, () -> targets.of(name)));
        }
    }

    private static void each(BiFunction<String, Integer, List<LeaseName>> page, Consumer<LeaseName> action) {
        String last = "";
        List<LeaseName> names;
        do {
            names = page.apply(last, PAGE);
            for (LeaseName name : names) {
                last = name.value();
                action.accept(name);
            }
        } while (names.size() == PAGE);
    }

    /** How many records were read. */
    private final class Reading {
        private final ProgressBar progress;
        private long read;

        Reading(ProgressBar progress) {
            this.progress = progress;
        }

        void step() {
            progress.accept(++read);
        }

        void check(String what, Runnable readRecord) {
            interruption.check();
            try {
                readRecord.run();
            } catch (StoreCorruptException e) {
                damage.add(what + " is damaged: " + e.getMessage());
            }
            step();
        }
    }
}
