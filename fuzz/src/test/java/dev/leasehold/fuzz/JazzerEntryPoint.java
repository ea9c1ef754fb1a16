package dev.leasehold.fuzz;

import java.util.Arrays;

/** What Jazzer calls: the first byte says which surface, the rest is its input. */
public final class JazzerEntryPoint {
    private static final long[] TAKEN = new long[FuzzTargets.ALL.size()];
    private static final long[] REFUSED = new long[FuzzTargets.ALL.size()];

    private JazzerEntryPoint() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int which = (input[0] & 0xff) % TAKEN.length;
        boolean taken = FuzzTargets.ALL.get(which).feed(Arrays.copyOfRange(input, 1, input.length));
        (taken ? TAKEN : REFUSED)[which]++;
    }

    public static void fuzzerTearDown() {
        for (int i = 0; i < TAKEN.length; i++) {
            System.out.println("surface " + FuzzTargets.ALL.get(i).name() + ": " + TAKEN[i] + " taken, " + REFUSED[i]
                    + " refused");
        }
    }
}
