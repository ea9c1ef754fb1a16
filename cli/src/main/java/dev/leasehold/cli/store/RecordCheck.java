package dev.leasehold.cli.store;

import dev.leasehold.cli.work.WorkPages;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkLedger;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Reads every record in the register of a store and finds those that cannot be read. */
final class RecordCheck {
    private static final int PAGE = 500;

    private RecordCheck() {}

    static void registerOf(LeaseStore store, List<String> damage) {
        WorkPages work = new WorkPages(WorkLedger.over(store), null, damage::add);
        while (work.hasNext()) {
            work.next();
        }
        JobRecords jobs = new JobRecords(store.register());
        for (LeaseName job : jobs.all()) {
            check("job " + job, () -> jobs.read(job), damage);
        }
        RunLog log = new RunLog(store.register());
        each(log::names, name -> check("the log of the runs of " + name, () -> log.of(name), damage));
        TargetMemory targets = new TargetMemory(store.register());
        each(targets::names, name -> check("the record of the targets of " + name, () -> targets.of(name), damage));
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

    private static void check(String what, Runnable read, List<String> damage) {
        try {
            read.run();
        } catch (StoreCorruptException e) {
            damage.add(what + " is damaged: " + e.getMessage());
        }
    }
}
