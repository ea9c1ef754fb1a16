package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.Overlap;
import java.util.List;

/**
 * Says what the overlap policy takes away from the catch-up: while an earlier slot is open, each
 * missed slot overlaps with it, and {@code skip} skips it.
 */
final class CatchUpNotes {
    private CatchUpNotes() {}

    static void say(Console console, List<Job> jobs) {
        for (Job job : jobs) {
            int latest = job.catchUp().latest();
            if (latest > 1 && job.overlap().equals(Overlap.SKIP)) {
                console.say(
                        "job " + job.name() + ": catch-up " + latest + " with overlap: skip runs missed slots only if"
                                + " no earlier slot is unfinished. After a machine died in the middle of a run, all missed slots"
                                + " are skipped. To run them, write overlap: wait D, where D is the longest outage to catch up"
                                + " with");
            }
        }
    }
}
