package dev.leasehold.internal;

import java.util.List;

/** Suggests what a user may have meant to type. */
public final class Nearest {
    private static final int MAX_TYPED = 40;

    private Nearest() {}

    /** {@code "; did you mean X?"}, or an empty text if no candidate is near. */
    public static String suggestion(String typed, List<String> candidates, String prefix) {
        if (typed.length() > MAX_TYPED) {
            return "";
        }
        String best = "";
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            boolean begins = typed.length() >= 3 && candidate.startsWith(typed);
            int limit = Math.max(1, Math.max(typed.length(), candidate.length()) / 3);
            // Most candidates are too long or too short to be near, so the distance need not be
            // computed.
            if (!begins && Math.abs(typed.length() - candidate.length()) > limit) {
                continue;
            }
            int distance = distance(typed, candidate);
            if ((begins || distance <= limit) && distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? "" : "; did you mean " + prefix + best + "?";
    }

    /** The number of letters to add, remove, change or swap with a neighbour. */
    static int distance(String a, String b) {
        int[][] steps = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : cheapest(steps, a, b, i, j);
            }
        }
        return steps[a.length()][b.length()];
    }

    private static int cheapest(int[][] steps, String a, String b, int i, int j) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(Math.min(steps[i - 1][j], steps[i][j - 1]) + 1, steps[i - 1][j - 1] + change);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
