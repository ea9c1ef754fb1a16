package dev.leasehold.bench;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.MemoryLeaseStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One process that holds 10,000 leases: the cost of a renewal round, and of holding them while
 * nothing happens.
 */
final class HoldManyBench {
    private static final int LEASES = 10_000;
    private static final Duration WATCHED = Duration.ofSeconds(30);

    private HoldManyBench() {}

    static void run() throws Exception {
        LeaseStore store = new MemoryLeaseStore();
        LeaseTerms terms = LeaseTerms.ofTtl(Duration.ofSeconds(30));
        try (Leases leases = Leases.over(store).context(SystemContext.create()).build()) {
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < LEASES; i++) {
                leases.tryAcquire(LeaseName.of("lease-" + i), terms).lease().ifPresent(held::add);
            }
            renewalRound(store, held);
            idle(held);
        }
    }

    private static void renewalRound(LeaseStore store, List<Lease> held) throws Exception {
        List<RenewRequest> requests = new ArrayList<>();
        for (Lease lease : held) {
            requests.add(new RenewRequest(lease.grant(), lease.terms().ttl()));
        }
        new Comparison("one renewal round of " + held.size() + " leases, memory store", 1, 25)
                .add("store.renew, one call", times -> store.renew(requests))
                .run();
    }

    private static void idle(List<Lease> held) throws InterruptedException {
        com.sun.management.OperatingSystemMXBean process =
                (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = process.getProcessCpuTime();
        Thread.sleep(WATCHED.toMillis());
        double share = (process.getProcessCpuTime() - before) * 100.0 / WATCHED.toNanos();
        long threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("leasehold-"))
                .count();
        long trusted = held.stream().filter(Lease::isTrusted).count();
        System.out.println();
        System.out.println("holding " + held.size() + " leases for " + WATCHED.toSeconds() + " s, renewed every "
                + held.get(0).terms().heartbeat().toSeconds() + " s: " + Math.round(share * 100) / 100.0
                + " % of one core, " + threads + " threads, " + trusted + " still trusted");
    }
}
