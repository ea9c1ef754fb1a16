package dev.leasehold.cli.agents;

import java.util.ArrayList;
import java.util.List;

/** The lines that a change of a text adds and removes, for people. */
final class TextChange {
    private TextChange() {}

    static List<String> lines(String before, String after) {
        List<String> old = before.lines().toList();
        List<String> now = after.lines().toList();
        int start = 0;
        while (start < old.size() && start < now.size() && old.get(start).equals(now.get(start))) {
            start++;
        }
        int oldEnd = old.size();
        int nowEnd = now.size();
        while (oldEnd > start && nowEnd > start && old.get(oldEnd - 1).equals(now.get(nowEnd - 1))) {
            oldEnd--;
            nowEnd--;
        }
        List<String> lines = new ArrayList<>();
        for (String line : old.subList(start, oldEnd)) {
            lines.add("- " + line);
        }
        for (String line : now.subList(start, nowEnd)) {
            lines.add("+ " + line);
        }
        return lines;
    }
}
