package dev.leasehold.git;

import java.util.ArrayList;
import java.util.List;

/**
 * The report of {@code git push --porcelain}, ref by ref. A push succeeded only if the server
 * reports that it moved the ref. The exit code is not enough: before 2.49, git lost some server
 * failures of atomic pushes.
 */
final class PushReport {
    /**
     * Parts of the messages that servers send when two pushes collide, or when one ref is refused
     * because of another.
     */
    private static final List<String> RACE_MESSAGES = List.of(
            "atomic", "lock", "failed to update ref", "incorrect old value", "reference already exists", "stale info");

    private record Line(char flag, String ref, String summary) {
        boolean isFromRace() {
            return RACE_MESSAGES.stream().anyMatch(summary::contains);
        }
    }

    private final Git.Result answer;
    private final List<Line> lines = new ArrayList<>();

    PushReport(Git.Result answer) {
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

    /** Whether the server reports that it moved this ref and all others of the push. */
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

    /**
     * Whether git or the server refused the push, so that nothing landed. If false,
     * that is unknown.
     */
    boolean refused() {
        return lines.stream().anyMatch(line -> line.flag == '!')
                && lines.stream().noneMatch(line -> line.summary.startsWith("[remote failure]"));
    }

    /**
     * Whether the only reason for the refusal is that another push touched the same refs at the
     * same moment.
     */
    boolean lostARace() {
        return lines.stream().noneMatch(line -> line.flag == '!' && !line.isFromRace());
    }

    /**
     * Whether git did not send the push although the fence had not moved: a branch is
     * not a fast-forward.
     */
    boolean rejectedLocally() {
        return !lostARace()
                && lines.stream().allMatch(line -> line.flag != '!' || line.summary.startsWith("[rejected]"))
                && lines.stream().noneMatch(line -> line.summary.contains("stale info"));
    }

    /** Whether the server refused this ref by its own rules. */
    boolean refusedByPolicy(String ref) {
        return lines.stream()
                .anyMatch(line -> line.flag == '!'
                        && line.ref.equals(ref)
                        && line.summary.startsWith("[remote rejected]")
                        && !line.isFromRace()
                        && !line.summary.contains("unpack"));
    }

    int code() {
        return answer.code();
    }

    /** Why the push failed: the reason of each ref that has one, and the messages of the server. */
    String reason() {
        StringBuilder reason = new StringBuilder();
        for (Line line : lines) {
            if (line.flag == '!' && !line.summary.contains("atomic")) {
                append(reason, line.ref + " " + line.summary);
            }
        }
        for (String line : answer.err().split("\n", -1)) {
            if (line.startsWith("remote: ") && reason.length() < 600) {
                append(reason, line.strip());
            }
        }
        return reason.length() == 0 ? answer.message() : reason.toString();
    }

    private static void append(StringBuilder reason, String more) {
        reason.append(reason.length() == 0 ? "" : "; ").append(more);
    }

    /** What the server printed, such as where to open a pull request. */
    List<String> serverMessages() {
        List<String> serverMessages = new ArrayList<>();
        for (String line : answer.err().split("\n", -1)) {
            if (line.startsWith("remote: ")) {
                serverMessages.add(line.strip());
            }
        }
        return serverMessages;
    }
}
