package dev.leasehold.metrics;

import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.OpenSlot;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import java.util.HashMap;
import java.util.Map;

/**
 * What the records of all jobs say, added up.
 *
 * @param overdueSeconds of each job
 * @param outcomes how many slots of each job ended in each way, since its record was made
 * @param unreadable records that are damaged
 */
record JobNumbers(
        Map<LeaseName, Double> overdueSeconds,
        Map<LeaseName, Map<String, Long>> outcomes,
        long queued,
        long running,
        long paused,
        long unreadable) {
    static final JobNumbers NONE = new JobNumbers(Map.of(), Map.of(), 0, 0, 0, 0);

    /** @param answered called after each answer of the store */
    static JobNumbers read(JobRecords records, Runnable answered) {
        Map<LeaseName, Double> overdue = new HashMap<>();
        Map<LeaseName, Map<String, Long>> outcomes = new HashMap<>();
        long queued = 0;
        long running = 0;
        long paused = 0;
        long unreadable = 0;
        for (LeaseName name : records.all()) {
            answered.run();
            try {
                JobRecords.Snapshot job = records.read(name).orElse(null);
                if (job != null) {
                    JobRecord record = job.record();
                    long waiting =
                            record.open().stream().filter(OpenSlot::isQueued).count();
                    queued += waiting;
                    running += record.open().size() - waiting;
                    paused += record.pause() == null ? 0 : 1;
                    overdue.put(name, job.overdue().toMillis() / 1000.0);
                    outcomes.put(name, record.counters());
                }
            } catch (StoreCorruptException e) {
                unreadable++;
            }
        }
        return new JobNumbers(overdue, outcomes, queued, running, paused, unreadable);
    }

    /** Of the job that has been overdue for longest. */
    double longestOverdue() {
        return overdueSeconds.values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }
}
