package dev.leasehold.git;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@code git push --porcelain} reported, ref by ref. A success is the server's own report that it moved the ref; the
 * exit code alone would not do, since git before 2.49 lost some failures of the server on atomic pushes.
 */
final class PushReport {
    /** What servers say when two transactions met, or when a ref is refused only because another one was. */
    private static final List<String> OF_A_RACE = List.of(
            "atomic", "lock", "failed to update ref", "incorrect old value", "reference already exists", "stale info");

    private record Line(char flag, String ref, String summary) {
        boolean isOfARace() {
            return OF_A_RACE.stream().anyMatch(summary::contains);
        }
    }

    private final Git.Answer answer;
    private final List<Line> lines = new ArrayList<>();

    PushReport(Git.Answer answer) {
        this.answer = answer;
        for (String line : answer.out().split("\n", -1)) {
            // FLAG TAB FROM:TO TAB SUMMARY (REASON)
            int first = line.indexOf('\t');
            int second = line.indexOf('\t', first + 1);
            if (first == 1 && second > 0) {
                String fromTo = line.substring(2, second);
                lines.add(new Line(
                        line.charAt(0), fromTo.substring(fromTo.lastIndexOf(':') + 1), line.substring(second + 1)));
            }
        }
    }

    /** Whether the server says that it moved this ref, and all the others. */
    boolean moved(String ref) {
        boolean moved = false;
        for (Line line : lines) {
            if (line.flag == '!') {
                return false;
            }
            moved |= line.ref.equals(ref) && line.flag != '=';
        }
        return moved && answer.ok();
    }

    /** Whether it was refused, by git itself or by the server. Then nothing of it landed; else that is not known. */
    boolean refused() {
        return lines.stream().anyMatch(line -> line.flag == '!')
                && lines.stream().noneMatch(line -> line.summary.startsWith("[remote failure]"));
    }

    /** Whether it was refused only because others were at the same refs at the same moment. */
    boolean lostARace() {
        return lines.stream().noneMatch(line -> line.flag == '!' && !line.isOfARace());
    }

    /** Whether git did not even send it, although the fence was where it should be: a branch is no fast-forward. */
    boolean decidedHere() {
        return !lostARace()
                && lines.stream().allMatch(line -> line.flag != '!' || line.summary.startsWith("[rejected]"))
                && lines.stream().noneMatch(line -> line.summary.contains("stale info"));
    }

    /** Whether the server refused this ref as such. */
    boolean refusedByPolicy(String ref) {
        return lines.stream()
                .anyMatch(line -> line.flag == '!'
                        && line.ref.equals(ref)
                        && line.summary.startsWith("[remote rejected]")
                        && !line.isOfARace()
                        && !line.summary.contains("unpack"));
    }

    int code() {
        return answer.code();
    }

    /** Why not, in git's words: of each ref that has a reason of its own, and what the server said. */
    String words() {
        StringBuilder words = new StringBuilder();
        for (Line line : lines) {
            if (line.flag == '!' && !line.summary.contains("atomic")) {
                append(words, line.ref + " " + line.summary);
            }
        }
        for (String said : answer.err().split("\n", -1)) {
            if (said.startsWith("remote: ") && words.length() < 600) {
                append(words, said.strip());
            }
        }
        return words.length() == 0 ? answer.words() : words.toString();
    }

    private static void append(StringBuilder words, String more) {
        words.append(words.length() == 0 ? "" : "; ").append(more);
    }

    /** What the server had to say although all went well: where to open a pull request, and the like. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        for (String said : answer.err().split("\n", -1)) {
            if (said.startsWith("remote: ")) {
                remarks.add(said.strip());
            }
        }
        return remarks;
    }
}
