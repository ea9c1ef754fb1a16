package dev.leasehold.simulator.soak;

import dev.leasehold.LeaseCounters;
import dev.leasehold.Leases;
import dev.leasehold.fence.Content;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** One soak: workers that play rounds until the time is over or somebody stops it. */
public final class Soak {
    public static final int WORKERS = 8;
    public static final int NAMES = 6;

    private static final int CLIENTS = 3;
    private static final Duration LIVE = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Ids ids;
    private final LeaseTerms terms;
    private final long pauseNanos;
    private final Tally tally = new Tally();
    private final LeaseCounters counters = new LeaseCounters();
    private final List<SoakClient> clients = new ArrayList<>();
    private final List<ContestedName> contestedNames = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);

    /** Fair, so that the one who wants quiet gets it. Rounds share it, whoever measures has it alone. */
    private final ReentrantReadWriteLock rounds = new ReentrantReadWriteLock(true);

    /**
     * A soak to be run.
     *
     * @param opener opens a further client of the same store
     * @param fences guards a file; a test hands in one that does not
     * @param scratch an empty directory for those files; the caller removes it
     */
    public Soak(Supplier<LeaseStore> opener, Function<Path, Fence<Content>> fences, Path scratch, Pace pace, Ids ids) {
        this.ids = ids;
        this.terms = LeaseTerms.ofTtl(pace.ttl());
        this.pauseNanos = TimeUnit.SECONDS.toNanos(1) * WORKERS / pace.roundsPerSecond();
        String prefix = LeaseStore.SCRATCH_PREFIX + "soak/" + ids.unique() + "/";
        for (int i = 0; i < NAMES; i++) {
            Path file = scratch.resolve("number-" + i);
            contestedNames.add(new ContestedName(LeaseName.of(prefix + i), file, fences.apply(file), tally));
        }
        for (int i = 0; i < CLIENTS; i++) {
            LeaseStore store = opener.get();
            clients.add(new SoakClient(
                    store, Leases.over(store).terms(terms).listener(counters).build()));
        }
    }

    /** How fast it goes: rounds of all workers together, and the ttl of the leases, which most waits depend on. */
    public record Pace(int roundsPerSecond, Duration ttl) {}

    /** What came of it. Start, middle and end are moments without a round under way. */
    public record Result(
            Duration took, Tally tally, Map<String, Long> leases, Footprint start, Footprint middle, Footprint end) {
        public boolean grew() {
            return end.outgrewMemoryOf(start) || end.outgrewThreadsOf(start) || end.outgrewHandlesOf(start);
        }

        public boolean isGood() {
            return !grew() && tally.failed() == 0 && tally.of("rounds") > 0;
        }
    }

    /** What can be told while it runs. */
    public record Live(Duration since, Tally tally, Map<String, Long> leases, Footprint now) {}

    /** Ends it early; what is under way is finished, and everything is checked and told as at the end. */
    public void stop() {
        over.countDown();
    }

    public Result run(Duration lasting, Consumer<Live> live) throws InterruptedException {
        long began = System.nanoTime();
        List<Thread> workers = startWorkers();
        try {
            // The first tenth is for caches, pools and compiled code to reach their size.
            pass(began, lasting.dividedBy(10), live);
            Footprint start = measureInQuiet();
            pass(began, lasting.multipliedBy(11).dividedBy(20), live);
            Footprint middle = measureInQuiet();
            pass(began, lasting, live);
            Footprint end = measureInQuiet();
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            endWorkers(workers);
            contestedNames.forEach(ContestedName::compareWithFile);
            return new Result(took, tally, counters.counts(), start, middle, end);
        } finally {
            endWorkers(workers);
            cleanUp();
        }
    }

    private List<Thread> startWorkers() {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            SoakClient mine = clients.get(i % CLIENTS);
            SoakClient other = clients.get((i + 1) % CLIENTS);
            SoakRound round = new SoakRound(mine, other, ids, terms, key(i), tally);
            Thread worker = new Thread(() -> work(round), "leasehold-soak-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
        return workers;
    }

    private static WorkKey key(int worker) {
        return WorkKey.of("worker-" + worker);
    }

    private void work(SoakRound round) {
        Lock inRound = rounds.readLock();
        try {
            while (over.getCount() > 0) {
                long began = System.nanoTime();
                inRound.lock();
                try {
                    play(round);
                } finally {
                    inRound.unlock();
                }
                long left = pauseNanos - (System.nanoTime() - began);
                // Never without a pause: a store that refuses at once would otherwise be asked without end.
                over.await(Math.max(left, 1_000_000), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            // Told to end.
        }
    }

    /** Whatever a round throws that is not a missing answer is a finding, and no reason to end the worker. */
    @SuppressWarnings("CatchingUnchecked")
    private void play(SoakRound round) throws InterruptedException {
        try {
            round.play(contestedNames.get((int) ids.below(NAMES)));
            tally.count("rounds");
        } catch (StoreUnavailableException | TargetUnavailableException e) {
            tally.unavailable(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            tally.failed("unexpected " + e);
        }
    }

    /** Until this much has passed since the beginning, or it is over. */
    private void pass(long began, Duration until, Consumer<Live> live) throws InterruptedException {
        while (true) {
            Duration left = until.minusNanos(System.nanoTime() - began);
            if (left.isNegative()
                    || over.await(Math.min(left.toMillis() + 1, LIVE.toMillis()), TimeUnit.MILLISECONDS)) {
                return;
            }
            Duration since = Duration.ofNanos(System.nanoTime() - began);
            live.accept(new Live(since, tally, counters.counts(), Footprint.glance()));
        }
    }

    private Footprint measureInQuiet() throws InterruptedException {
        Lock alone = rounds.writeLock();
        boolean quiet = alone.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        try {
            if (!quiet) {
                tally.failed("a round has not ended after " + PATIENCE.toSeconds() + " s: something hangs");
            }
            return Footprint.measure();
        } finally {
            if (quiet) {
                alone.unlock();
            }
        }
    }

    private void endWorkers(List<Thread> workers) throws InterruptedException {
        over.countDown();
        long patience = PATIENCE.toMillis();
        for (Thread worker : workers) {
            worker.join(patience);
            if (worker.isAlive()) {
                worker.interrupt();
                patience = 1;
            }
        }
    }

    /** Best effort: what cannot be removed now lies under scratch names, and does no harm. */
    private void cleanUp() {
        try {
            SoakClient client = clients.get(0);
            for (ContestedName contested : contestedNames) {
                for (int i = 0; i < WORKERS; i++) {
                    client.ledger().forget(new WorkId(contested.name(), key(i)));
                }
                client.store().eraseScratch(contested.name());
            }
        } catch (StoreUnavailableException e) {
            tally.unavailable("scratch names could not be removed: " + e.getMessage());
        } finally {
            clients.forEach(SoakClient::close);
        }
    }
}
