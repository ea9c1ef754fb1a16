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

/** One soak: workers that play rounds until the time is over or it is stopped. */
public final class Soak {
    public static final int WORKERS = 8;
    public static final int NAMES = 6;

    private static final int CLIENTS = 3;

    /** Two rounds of each worker: every pool and cache has been in use. */
    private static final int ROUNDS_TO_WARM_UP = 2 * WORKERS;

    private static final long LET_IDLE_THREADS_END_MILLIS = 1500;
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

    /**
     * Rounds share this lock, and the measurement holds it exclusively. The lock is fair, so that
     * the measurement gets its turn.
     */
    private final ReentrantReadWriteLock rounds = new ReentrantReadWriteLock(true);

    /**
     * Creates a soak.
     *
     * @param opener opens another client of the same store
     * @param fences creates the fence of a file; a test passes a fence that does not refuse
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

    /**
     * The speed: rounds of all workers together, and the ttl of the leases, which most waits depend
     * on.
     */
    public record Pace(int roundsPerSecond, Duration ttl) {}

    /**
     * The outcome. Start, middle and end are moments between two rounds.
     *
     * @param warm whether enough rounds were finished before the start was measured; otherwise what
     *     grew may be pools and caches that were not in use before
     */
    public record Result(
            Duration took,
            Tally tally,
            Map<String, Long> leases,
            boolean warm,
            Footprint start,
            Footprint middle,
            Footprint end) {
        public boolean grew() {
            return warm && (end.outgrewMemoryOf(start) || end.outgrewThreadsOf(start) || end.outgrewHandlesOf(start));
        }

        public boolean isGood() {
            return !grew() && tally.failed() == 0 && tally.of("rounds") > 0;
        }
    }

    /** The state while it runs. */
    public record Live(Duration since, Tally tally, Map<String, Long> leases, Footprint now) {}

    /**
     * Ends the soak early. Rounds in progress finish, and everything is checked and reported as at
     * the end.
     */
    public void stop() {
        over.countDown();
    }

    public Result run(Duration lasting, Consumer<Live> live) throws InterruptedException {
        long began = System.nanoTime();
        List<Thread> workers = startWorkers();
        try {
            // During the first tenth caches, pools and compiled code reach their size.
            pass(began, lasting.dividedBy(10), live);
            Footprint start = measureInQuiet();
            boolean warm = tally.of("rounds") >= ROUNDS_TO_WARM_UP;
            pass(began, lasting.multipliedBy(11).dividedBy(20), live);
            Footprint middle = measureInQuiet();
            pass(began, lasting, live);
            Footprint end = measureInQuiet();
            if (end.outgrewThreadsOf(start)) {
                // Callbacks of many leases that were lost at once may have needed threads. These end
                // when they are idle; leaked ones do not.
                Thread.sleep(LET_IDLE_THREADS_END_MILLIS);
                end = measureInQuiet();
            }
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            endWorkers(workers);
            contestedNames.forEach(ContestedName::compareWithFile);
            return new Result(took, tally, counters.counts(), warm, start, middle, end);
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
                // There is always a pause: otherwise a store that fails immediately would be called
                // in a busy loop.
                over.await(Math.max(left, 1_000_000), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            // The worker was asked to stop.
        }
    }

    /**
     * An exception in a round, other than a missing answer, is a finding and does not end the
     * worker.
     */
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

    /** Waits until this much time has passed since the start, or the soak is over. */
    private void pass(long began, Duration until, Consumer<Live> live) throws InterruptedException {
        while (true) {
            Duration left = until.minusNanos(System.nanoTime() - began);
            if (left.isNegative()
                    || over.await(Math.min(left.toMillis() + 1, LIVE.toMillis()), TimeUnit.MILLISECONDS)) {
                return;
            }
            Duration since = Duration.ofNanos(System.nanoTime() - began);
            live.accept(new Live(since, tally, counters.counts(), Footprint.withoutCollection()));
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

    /** Best effort: records that cannot be removed have scratch names and do no harm. */
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
