package dev.leasehold.testkit.nemesis;

import dev.leasehold.testkit.nemesis.HolderReport.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The reports of all holder processes, and the number of grants under a wrong wall clock. Safe for
 * use by many threads.
 */
final class HolderReports {
    private static final long WRONG_MILLIS = 60_000;

    private static final int SHOWN = 20;

    private final List<HolderReport> all = new ArrayList<>();
    private int grantsUnderWrongClocks;

    synchronized void add(HolderReport report) {
        all.add(report);
        if (report.kind() == Kind.GRANTED && Math.abs(report.wall() - System.currentTimeMillis()) > WRONG_MILLIS) {
            grantsUnderWrongClocks++;
        }
    }

    synchronized List<HolderReport> all() {
        return List.copyOf(all);
    }

    /**
     * Fails as soon as a holder has reported an error that no fault explains: that holder is gone,
     * and further reports would hide the cause.
     */
    synchronized void requireNoFailure() {
        if (count(Kind.FAILED) > 0) {
            throw new AssertionError("a holder failed; the last reports:\n" + latest());
        }
    }

    /** The last reports, for messages. */
    synchronized String latest() {
        StringBuilder text = new StringBuilder();
        for (HolderReport report : all.subList(Math.max(0, all.size() - SHOWN), all.size())) {
            text.append(report.line());
        }
        return text.toString();
    }

    synchronized int count(Kind kind) {
        int count = 0;
        for (HolderReport report : all) {
            count += report.kind() == kind ? 1 : 0;
        }
        return count;
    }

    synchronized long highest(Kind kind) {
        long highest = 0;
        for (HolderReport report : all) {
            highest = report.kind() == kind ? Math.max(highest, report.token()) : highest;
        }
        return highest;
    }

    synchronized int grantsUnderWrongClocks() {
        return grantsUnderWrongClocks;
    }
}
