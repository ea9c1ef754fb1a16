package dev.leasehold.testkit.nemesis;

import dev.leasehold.testkit.nemesis.Said.Word;
import java.util.ArrayList;
import java.util.List;

/** What all holder processes have said so far, and when their wall clocks were wrong. Safe for use by many threads. */
final class Testimony {
    private static final long WRONG_MILLIS = 60_000;

    private static final int SHOWN = 20;

    private final List<Said> all = new ArrayList<>();
    private int grantsUnderWrongClocks;

    synchronized void add(Said said) {
        all.add(said);
        if (said.word() == Word.GRANTED && Math.abs(said.wall() - System.currentTimeMillis()) > WRONG_MILLIS) {
            grantsUnderWrongClocks++;
        }
    }

    synchronized List<Said> all() {
        return List.copyOf(all);
    }

    /** Fails as soon as a holder has met something that no fault excuses: it is gone, and the rest would only hide why. */
    synchronized void requireNoFailure() {
        if (count(Word.FAILED) > 0) {
            throw new AssertionError("a holder failed; the last that was said:\n" + latest());
        }
    }

    /** The last lines, for messages. */
    synchronized String latest() {
        StringBuilder text = new StringBuilder();
        for (Said said : all.subList(Math.max(0, all.size() - SHOWN), all.size())) {
            text.append(said.line());
        }
        return text.toString();
    }

    synchronized int count(Word word) {
        int count = 0;
        for (Said said : all) {
            count += said.word() == word ? 1 : 0;
        }
        return count;
    }

    synchronized long highest(Word word) {
        long highest = 0;
        for (Said said : all) {
            highest = said.word() == word ? Math.max(highest, said.token()) : highest;
        }
        return highest;
    }

    synchronized int grantsUnderWrongClocks() {
        return grantsUnderWrongClocks;
    }
}
