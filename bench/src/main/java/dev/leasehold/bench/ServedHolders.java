package dev.leasehold.bench;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.client.HttpLeaseStore;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that hold leases through servers, and renew them. */
final class ServedHolders {
    private static final LeaseTerms TERMS = LeaseTerms.ofTtl(Duration.ofSeconds(30));
    private static final int LEASES_OF_EACH = 10;
    private static final int MANY_CLIENTS = 1000;
    private static final int CLIENTS_OF_TWO = 100;
    private static final int CHANGING = 8;
    private static final Duration KILLED_EVERY = Duration.ofSeconds(10);
    private static final double MOST_MEGABYTES = 300;

    private final Targets targets;
    private final List<Leases> clients = new ArrayList<>();
    private final List<Lease> held = new ArrayList<>();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger twice = new AtomicInteger();
    private final AtomicInteger unavailable = new AtomicInteger();
    private final AtomicInteger pairs = new AtomicInteger();
    /** Every grant that anybody got, as a name and a token. */
    private final Set<String> grants = ConcurrentHashMap.newKeySet();

    ServedHolders(Targets targets) {
        this.targets = targets;
    }

    /** Each client is a program of its own: it has its own connections, renewals and clocks. */
    private void hold(String url, String prefix, int count) {
        for (int client = 0; client < count; client++) {
            Leases leases = open(url);
            for (int i = 0; i < LEASES_OF_EACH; i++) {
                LeaseName name = LeaseName.of(prefix + client + "/" + i);
                Lease lease = leases.tryAcquire(name, TERMS).lease().orElseThrow();
                note(lease.grant());
                lease.onLost(loss -> lost.incrementAndGet());
                held.add(lease);
            }
        }
    }

    private Leases open(String url) {
        Leases leases = Leases.over(HttpLeaseStore.open(url))
                .context(SystemContext.create())
                .build();
        clients.add(leases);
        return leases;
    }

    private void note(Grant grant) {
        if (!grants.add(grant.name() + " " + grant.token())) {
            twice.incrementAndGet();
        }
    }

    private int trusted() {
        return (int) held.stream().filter(Lease::isTrusted).count();
    }

    void holdMany(ServedStore server) throws Exception {
        try {
            hold(server.url(), "bench/many-", MANY_CLIENTS);
            Duration before = server.cpu();
            Thread.sleep(ServerBench.HELD.toMillis());
            double share = server.cpu().minus(before).toNanos() * 100.0 / ServerBench.HELD.toNanos();
            int trusted = trusted();
            System.out.println();
            System.out.println(String.format(
                    Locale.ROOT,
                    "%d clients of one server hold %d leases for %d s, renewed every %d s: %d lost, %d still trusted,"
                            + " server %.1f %% of one core, %d threads, at most %.0f MB",
                    clients.size(),
                    held.size(),
                    ServerBench.HELD.toSeconds(),
                    TERMS.heartbeat().toSeconds(),
                    lost.get(),
                    trusted,
                    share,
                    server.threads(),
                    server.maxMegabytes()));
            targets.atMost("leases lost of 10,000 that 1,000 clients hold through a server", 0, held.size() - trusted);
            targets.atMost("memory of that server in MB", MOST_MEGABYTES, server.maxMegabytes());
        } finally {
            closeAll();
        }
    }

    /** Two servers of one store, of which one is always about to be killed. */
    void survive(ServedStore one, ServedStore two) throws Exception {
        String url = "http://" + one.host() + "," + two.host();
        List<Thread> changing = new ArrayList<>();
        try {
            hold(url, "bench/two-", CLIENTS_OF_TWO);
            for (int i = 0; i < CHANGING; i++) {
                Leases leases = open(url);
                LeaseName name = LeaseName.of("bench/changing-" + i % (CHANGING / 2));
                changing.add(new Thread(() -> change(leases, name)));
            }
            changing.forEach(Thread::start);
            long end = System.nanoTime() + ServerBench.HELD.toNanos();
            int kills = 0;
            while (System.nanoTime() - end < 0) {
                Thread.sleep(KILLED_EVERY.toMillis());
                (kills++ % 2 == 0 ? one : two).killAndRestart();
            }
            stop(changing);
            int trusted = trusted();
            System.out.println();
            System.out.println("two servers, of which one was killed every " + KILLED_EVERY.toSeconds() + " s, "
                    + kills + " times: " + held.size() + " leases held, " + lost.get() + " lost, " + trusted
                    + " still trusted; " + pairs.get() + " leases acquired and released meanwhile, " + grants.size()
                    + " grants, " + twice.get() + " tokens twice, " + unavailable.get()
                    + " calls that failed on both servers");
            targets.atMost("leases lost while one of two servers is killed every 10 s", 0, held.size() - trusted);
            targets.atMost("tokens granted twice meanwhile", 0, twice.get());
        } finally {
            stop(changing);
            closeAll();
        }
    }

    /** Two clients want each of these names. */
    private void change(Leases leases, LeaseName name) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Lease lease = leases.acquireWithin(name, TERMS, Duration.ofSeconds(1))
                        .lease()
                        .orElse(null);
                if (lease != null) {
                    note(lease.grant());
                    lease.release();
                    pairs.incrementAndGet();
                }
            } catch (StoreUnavailableException e) {
                unavailable.incrementAndGet();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static void stop(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    /** Without giving every lease back, which is not measured and takes long. */
    private void closeAll() {
        held.forEach(Lease::detach);
        clients.forEach(Leases::close);
    }
}
