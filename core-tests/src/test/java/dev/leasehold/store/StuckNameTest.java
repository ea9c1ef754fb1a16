package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.crash.ActorProcess;
import dev.leasehold.crash.Strace;
import dev.leasehold.fence.FrozenWriterTest;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is stopped inside a step on one name keeps the lock of that name. The owner may
 * lose the lease of that name, but no other.
 */
@Requires("strace")
class StuckNameTest {
    private static final List<String> NAMES = List.of("a", "b", "c", "d");

    @TempDir
    Path root;

    @Test
    void ownerOfANameLockedByAStoppedProcessLosesNoOtherName() throws Exception {
        Path home = root.resolve("store");
        Map<String, Loss> lost = new ConcurrentHashMap<>();
        Map<String, Integer> renewals = new ConcurrentHashMap<>();
        try (FileLeaseStore store = FileLeaseStore.create(home);
                ActorProcess stopped = ActorProcess.start();
                Leases leases = Leases.over(store)
                        .terms(LeaseTerms.ofTtl(Duration.ofSeconds(8)))
                        .listener(new LeaseListener() {
                            @Override
                            public void renewed(Lease lease, Duration gap) {
                                renewals.merge(lease.grant().name().value(), 1, Integer::sum);
                            }

                            @Override
                            public void lost(Lease lease, Loss loss) {
                                lost.put(lease.grant().name().value(), loss);
                            }
                        })
                        .build()) {
            List<Lease> held = new ArrayList<>();
            for (String name : NAMES) {
                held.add(leases.tryAcquire(name).lease().orElseThrow());
            }
            stopInsideAStepOn("a", stopped, home);
            renewals.clear();
            awaitLoss(lost, renewals);
            assertThat(lost).containsOnlyKeys("a");
            assertThat(lost.get("a").explanation()).contains("is held by process " + stopped.pid());

            assertThat(store.inspect(LeaseName.of("a"))).as("can be inspected").isPresent();
            assertThat(store.list("", "", 10)).hasSize(NAMES.size());
            assertThat(lost).as("also after inspections of the stuck name").containsOnlyKeys("a");
            stopped.thaw();
            assertThat(stopped.hear()).startsWith("Busy");
            for (Lease lease : held) {
                lease.close();
            }
        }
    }

    @Test
    void recordLockedByAStoppedProcessDoesNotHideTheOthers() throws Exception {
        Path home = root.resolve("store");
        try (FileLeaseStore store = FileLeaseStore.create(home);
                ActorProcess stopped = ActorProcess.start()) {
            for (String key : NAMES) {
                store.register().compareAndSet(key, CasRegister.ABSENT, "one");
            }
            stopped.ask("open " + home);
            stopped.ask("register set a one");
            try (Strace trace =
                    Strace.inject(stopped.ask("thread"), root.resolve("trace"), "fdatasync:signal=STOP:when=1")) {
                stopped.send("register set a two");
                FrozenWriterTest.awaitFrozen(stopped.pid());
            }
            assertThat(store.register().keys("", "", 10)).isEqualTo(NAMES);
            stopped.thaw();
            assertThat(stopped.hear()).isEqualTo("set true");
        }
    }

    /** Waits long enough for each lease to expire if it were not renewed. */
    private static void awaitLoss(Map<String, Loss> lost, Map<String, Integer> renewals) throws InterruptedException {
        for (int i = 0; i < 1200 && lost.size() <= 1 && !(lost.size() == 1 && renewedOften(renewals)); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static boolean renewedOften(Map<String, Integer> renewals) {
        return NAMES.stream().skip(1).allMatch(name -> renewals.getOrDefault(name, 0) > 3);
    }

    /** Another process asks for the name, and stops when it holds the lock and reads the grants. */
    private void stopInsideAStepOn(String name, ActorProcess actor, Path home) throws Exception {
        actor.ask("open " + home);
        actor.ask("acquire " + name + " attempt-0001 60000");
        try (Strace trace =
                Strace.inject(actor.ask("thread"), root.resolve("trace"), "getdents64:signal=STOP:when=2")) {
            actor.send("acquire " + name + " attempt-0001 60000");
            FrozenWriterTest.awaitFrozen(actor.pid());
        }
    }
}
