package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.crash.Asker;
import dev.leasehold.fence.FrozenWriterTest;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.ForwardingLeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that acquire names continuously are stopped by SIGSTOP while they hold the lock of one.
 * An owner of all names may lose the locked ones, but no other.
 * {@code -Dleasehold.nemesis.seconds=600} makes it longer. Needs Linux.
 */
class LockedNameNemesisTest {
    private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("leasehold.nemesis.seconds", 20));
    private static final LeaseTerms TERMS = LeaseTerms.ofTtl(Duration.ofSeconds(8));
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");
    private static final int ASKERS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Map<String, Loss> lost = new ConcurrentHashMap<>();
    private final Map<String, Lease> held = new LinkedHashMap<>();
    private final List<Process> askers = new ArrayList<>();

    @Test
    void ownerLosesOnlyNamesWhoseLockAStoppedProcessHolds(@TempDir Path root) throws Exception {
        Path home = root.resolve("store");
        try (FileLeaseStore store = FileLeaseStore.create(home);
                Leases leases = owner(store)) {
            startAskers(home);
            long end = System.nanoTime() + LENGTH.toNanos();
            int rounds = 0;
            while (rounds < 2 || System.nanoTime() - end < 0) {
                // Stops one process and both in turn: two stuck names must cost no more than one.
                round(leases, askers.subList(0, 1 + rounds % ASKERS));
                rounds++;
            }
            System.out.println("stopped inside a lock in " + rounds + " rounds, and nothing else was lost");
            held.values().forEach(Lease::close);
        }
    }

    /** Shows that the test above can fail: this renewal first waits for each of its names. */
    @Test
    void renewalThatWaitsForALockedNameLosesAllNames(@TempDir Path root) throws Exception {
        Path home = root.resolve("store");
        SystemIds ids = new SystemIds();
        Semaphore renewing = new Semaphore(1);
        try (FileLeaseStore store = FileLeaseStore.create(home, ids)) {
            LeaseStore waiting = new ForwardingLeaseStore(store) {
                @Override
                public List<Renewal> renew(List<RenewRequest> requests) {
                    renewing.acquireUninterruptibly();
                    try {
                        for (RenewRequest request : requests) {
                            AttemptId attempt = AttemptId.of(ids.unique());
                            store.acquire(request.grant().name(), attempt, Holder.of("impatient"), request.ttl());
                        }
                        return store.renew(requests);
                    } finally {
                        renewing.release();
                    }
                }
            };
            try (Leases leases = owner(waiting)) {
                startAskers(home);
                stopInsideALock(askers.get(0));
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (lost.size() < NAMES.size() && System.nanoTime() - end < 0) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                assertThat(lost).containsOnlyKeys(NAMES);
                held.values().forEach(Lease::detach);
            }
            // Files change until the last renewal has ended; it waits for the locks of the askers.
            endAskers();
            renewing.acquireUninterruptibly();
            renewing.release();
        }
    }

    @AfterEach
    void endAskers() throws InterruptedException {
        for (Process asker : askers) {
            asker.destroyForcibly().waitFor();
        }
    }

    /** Acquires all names. */
    private Leases owner(LeaseStore store) {
        Leases leases = Leases.over(store)
                .terms(TERMS)
                .listener(new LeaseListener() {
                    @Override
                    public void lost(Lease lease, Loss loss) {
                        lost.put(lease.grant().name().value(), loss);
                    }
                })
                .build();
        for (String name : NAMES) {
            held.put(name, leases.tryAcquire(name).lease().orElseThrow());
        }
        return leases;
    }

    private void startAskers(Path home) throws IOException {
        for (int n = 0; n < ASKERS; n++) {
            askers.add(start(home));
        }
    }

    private void round(Leases leases, List<Process> stopping) throws Exception {
        Set<String> locked = new HashSet<>();
        for (Process asker : stopping) {
            locked.add(stopInsideALock(asker));
        }
        TimeUnit.NANOSECONDS.sleep(TERMS.ttl().plusSeconds(2).toNanos());
        assertThat(locked).as("of " + lost).containsAll(lost.keySet());
        Set<String> others = new HashSet<>(NAMES);
        others.removeAll(locked);
        assertThat(others)
                .as("names that are not locked")
                .allSatisfy(name -> assertThat(held.get(name).isTrusted()).isTrue());
        for (Process asker : stopping) {
            signal("CONT", asker);
        }
        for (String name : List.copyOf(lost.keySet())) {
            AcquireResult again = leases.acquireWithin(LeaseName.of(name), TERMS, PATIENCE);
            held.put(name, again.lease().orElseThrow());
            lost.remove(name);
        }
    }

    private static Process start(Path home) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Asker.class.getName(),
                home.toString()));
        List<String> names = new ArrayList<>(NAMES);
        Collections.shuffle(names);
        command.addAll(names);
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Stops the process repeatedly until it holds a lock. */
    private static String stopInsideALock(Process asker) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            signal("STOP", asker);
            FrozenWriterTest.awaitFrozen(asker.pid());
            String name = nameLockedBy(asker.pid());
            if (!name.isEmpty()) {
                return name;
            }
            signal("CONT", asker);
            TimeUnit.MILLISECONDS.sleep(2);
        }
        throw new AssertionError("process " + asker.pid() + " was never inside a lock");
    }

    /** The locked name according to the kernel; empty if the process holds no lock of a name. */
    private static String nameLockedBy(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        try (Stream<Path> files = Files.list(process.resolve("fdinfo"))) {
            for (Path info : files.toList()) {
                String file = target(process.resolve("fd").resolve(info.getFileName()));
                if (file.endsWith("/state") && Files.readString(info).contains("lock:")) {
                    String directory = Path.of(file).getParent().getFileName().toString();
                    return directory.substring(directory.indexOf('-') + 1);
                }
            }
        }
        return "";
    }

    private static String target(Path link) throws IOException {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(code).as("kill -" + name).isZero();
    }
}
