package dev.leasehold.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.store.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Several leases at once, all or none, by owners that name them in different orders. */
class OwnedLeasesRaceTest {
    private static final int NAMES = 5;
    private static final int OWNERS = 6;
    private static final int ROUNDS = 200;

    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final AtomicIntegerArray holders = new AtomicIntegerArray(NAMES);

    @Test
    void ownersNeitherShareALeaseNorWaitForEachOther() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(OWNERS);
        try {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < OWNERS; i++) {
                int owner = i;
                all.add(threads.submit(() -> claimOften(owner)));
            }
            for (Future<Integer> one : all) {
                assertThat(one.get(2, TimeUnit.MINUTES)).isPositive();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(store.list("", "", 100)).allMatch(lease -> lease.isFree());
    }

    private int claimOften(int owner) {
        Random random = new Random(owner);
        OwnedLeases leases = new OwnedLeases(
                store, Owner.of("owner " + owner), Holder.of("o" + owner), new SystemIds(), Duration.ofMinutes(1));
        int got = 0;
        for (int round = 0; round < ROUNDS || got == 0; round++) {
            List<Integer> wanted = new ArrayList<>(List.of(0, 1, 2, 3, 4));
            Collections.shuffle(wanted, random);
            wanted = wanted.subList(0, 2 + random.nextInt(NAMES - 1));
            List<LeaseName> names =
                    wanted.stream().map(i -> LeaseName.of("file-" + i)).toList();
            if (leases.claimAll(names).get(0) instanceof OwnedLeases.Busy) {
                continue;
            }
            got++;
            wanted.forEach(i -> assertThat(holders.incrementAndGet(i)).isEqualTo(1));
            wanted.forEach(i -> assertThat(holders.decrementAndGet(i)).isZero());
            names.forEach(name -> assertThat(leases.release(name)).isPresent());
        }
        return got;
    }
}
