package dev.leasehold.bench;

import dev.leasehold.Leases;
import java.util.Random;

/**
 * Whether the number of names a store has seen matters: random names of a thousand and of a
 * million.
 */
final class ManyRecords {
    static final int FEW = 1_000;
    static final int MANY = 1_000_000;
    static final String NAME_PREFIX = "bench/many-";

    private static final String OF_FEW = "of 1,000 records";
    private static final String OF_MANY = "of 1,000,000 records";

    private final Random random = new Random(3);

    void compare(String product, int repetitions, int rounds, Leases few, Leases many, Targets targets)
            throws Exception {
        Measurement outcome = new Comparison(product + ", acquire + release of a random name", repetitions, rounds)
                .add(OF_FEW, times -> pairs(few, FEW, times))
                .add(OF_MANY, times -> pairs(many, MANY, times))
                .run();
        targets.atMost(product + " acquire with 1,000,000 records against 1,000", 1.2, outcome.speed(OF_FEW, OF_MANY));
    }

    private void pairs(Leases leases, int records, int times) throws Exception {
        AcquireRelease pair = AcquireRelease.leasehold(leases);
        for (int i = 0; i < times; i++) {
            pair.acquireAndRelease(NAME_PREFIX + random.nextInt(records));
        }
    }
}
