package dev.leasehold.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The log of events: who did what, and when. */
final class EventLog {
    private final VirtualTime time;
    private final boolean detailed;
    private final List<Line> lines = new ArrayList<>();

    private record Line(long at, String who, String what) {}

    /** @param detailed whether the whole log will be printed */
    EventLog(VirtualTime time, boolean detailed) {
        this.time = time;
        this.detailed = detailed;
    }

    void detail(Object who, Supplier<String> what) {
        if (detailed) {
            note(who, what.get());
        }
    }

    void note(Object who, String what) {
        lines.add(new Line(time.now(), who.toString(), what));
    }

    /** A readable table; the same seed gives the same text. */
    String table() {
        int width = 4;
        for (Line line : lines) {
            width = Math.max(width, line.who.length());
        }
        StringBuilder table = new StringBuilder();
        for (Line line : lines) {
            String micros =
                    Long.toString(line.at / 1_000 % 1_000_000 + 1_000_000).substring(1);
            String seconds = Long.toString(line.at / 1_000_000_000);
            table.append(" ".repeat(Math.max(0, 4 - seconds.length())))
                    .append(seconds)
                    .append('.')
                    .append(micros)
                    .append("  ")
                    .append(line.who)
                    .append(" ".repeat(width - line.who.length()))
                    .append("  ")
                    .append(line.what)
                    .append('\n');
        }
        return table.toString();
    }
}
