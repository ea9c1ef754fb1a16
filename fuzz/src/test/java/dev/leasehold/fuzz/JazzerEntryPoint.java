package dev.leasehold.fuzz;

import java.util.Arrays;

/** The entry point for Jazzer: the first byte selects the target, the rest is its input. */
public final class JazzerEntryPoint {
    private static final long[] ACCEPTED = new long[FuzzTargets.ALL.size()];
    private static final long[] REJECTED = new long[FuzzTargets.ALL.size()];

    private JazzerEntryPoint() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int index = (input[0] & 0xff) % ACCEPTED.length;
        boolean accepted = FuzzTargets.ALL.get(index).feed(Arrays.copyOfRange(input, 1, input.length));
        (accepted ? ACCEPTED : REJECTED)[index]++;
    }

    public static void fuzzerTearDown() {
        for (int i = 0; i < ACCEPTED.length; i++) {
            System.out.println("target " + FuzzTargets.ALL.get(i).name() + ": " + ACCEPTED[i] + " accepted, "
                    + REJECTED[i] + " refused");
        }
    }
}
