package dev.leasehold.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LeaseCounters;
import dev.leasehold.Leases;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.StoreId;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The log of runs and the advice derived from it. */
class RunAdviceTest {
    private static final LeaseName JOB = LeaseName.of("job");
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    private static final LeaseTerms TERMS = LeaseTerms.ofTtl(Duration.ofSeconds(90));

    private static RunEntry run(String kind, int minute, Duration took, int renewals, Duration gap) {
        return entry(
                kind,
                minute,
                FencingToken.of(minute + 1),
                took,
                new RunEntry.Renewals(TERMS.ttl(), TERMS.heartbeat(), renewals, gap));
    }

    private static RunEntry entry(
            String kind,
            int minute,
            @Nullable FencingToken token,
            Duration took,
            RunEntry.@Nullable Renewals renewals) {
        return new RunEntry(T0.plusSeconds(60L * minute), kind, token, Holder.of("me"), took, "a detail", renewals);
    }

    private static List<RunEntry> runs(int count, Duration gap) {
        List<RunEntry> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            runs.add(run("ran", i, Duration.ofSeconds(60 + i), 2, gap));
        }
        return runs;
    }

    @Test
    void tooFewRunsGiveNoAdvice() {
        assertThat(RunAdvice.of(List.of()).runs()).isZero();
        RunAdvice few = RunAdvice.of(runs(4, Duration.ofSeconds(30)));
        assertThat(few.renewed()).isNull();
        assertThat(few.unrenewed()).isNull();
        assertThat(few.runs()).isEqualTo(4);
    }

    @Test
    void runsWithoutRenewalsGiveNoAdviceAboutStalls() {
        List<RunEntry> runs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            runs.add(run("ran", i, Duration.ofSeconds(4), 0, Duration.ZERO));
        }
        RunAdvice advice = RunAdvice.of(runs);
        assertThat(advice.renewed()).isNull();
        assertThat(advice.stall()).isNull();
        assertThat(advice.unrenewed()).isNotNull();
        assertThat(advice.unrenewed().ttl()).isEqualTo(Duration.ofSeconds(6));
        assertThat(advice.unrenewed().upTo()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void medianP95AndWorstAreThoseOfWholeRuns() {
        List<RunEntry> runs = runs(20, Duration.ofSeconds(30));
        runs.add(run("lost_superseded", 30, Duration.ofHours(5), 1, Duration.ofSeconds(30)));
        RunAdvice advice = RunAdvice.of(runs);
        assertThat(advice.median()).isEqualTo(Duration.ofSeconds(69));
        assertThat(advice.p95()).isEqualTo(Duration.ofSeconds(78));
        assertThat(advice.worst()).isEqualTo(Duration.ofSeconds(79));
        assertThat(advice.losses()).isEqualTo(1);
        assertThat(advice.ttl()).isEqualTo(TERMS.ttl());
    }

    @Test
    void theShortestTtlThatSurvivesTheWorstStallIsRecommended() {
        for (int stall : new int[] {0, 1, 5, 20, 120, 3000}) {
            RunAdvice advice = RunAdvice.of(runs(5, TERMS.heartbeat().plusSeconds(stall)));
            assertThat(advice.stall()).isEqualTo(Duration.ofSeconds(stall));
            Duration ttl = advice.renewed().ttl();
            assertThat(spare(ttl)).isGreaterThanOrEqualTo(Duration.ofSeconds(stall));
            assertThat(ttl).isGreaterThanOrEqualTo(Duration.ofSeconds(10));
            if (stall > 1) {
                assertThat(spare(ttl.multipliedBy(8).dividedBy(10)))
                        .as("a ttl a fifth shorter than %s is too short for a stall of %s s", ttl, stall)
                        .isLessThan(Duration.ofSeconds(stall));
            }
            assertThat(advice.renewed().reason()).contains("two heartbeats", "crash blocks the next run");
        }
    }

    /** What is left of the trusted time after two missed heartbeats and the grace. */
    private static Duration spare(Duration ttl) {
        LeaseTerms terms = LeaseTerms.ofTtl(ttl);
        return terms.trustedFor().minus(terms.heartbeat().multipliedBy(2)).minus(terms.grace());
    }

    @Test
    void aRunLostToAStallCountsAsAStall() {
        List<RunEntry> runs = runs(5, TERMS.heartbeat());
        runs.add(run("lost_lapsed", 9, Duration.ofMinutes(9), 0, Duration.ZERO));
        RunAdvice advice = RunAdvice.of(runs);
        assertThat(advice.stall()).isEqualTo(TERMS.trustedFor().minus(TERMS.heartbeat()));
        assertThat(advice.renewed().ttl()).isGreaterThan(TERMS.ttl());
    }

    @Test
    void manySkipsDoNotDisplaceTheRuns() {
        RunLog log = new RunLog(new MemoryRegister(Clock.systemUTC()));
        for (int i = 0; i < 60; i++) {
            log.append(JOB, run("ran", i, Duration.ofSeconds(i), 3, Duration.ofMillis(30_500)));
        }
        for (int i = 60; i < 160; i++) {
            log.append(JOB, entry("skipped_overlap", i, null, Duration.ZERO, null));
        }
        RunLog.Summary summary = log.of(JOB);
        assertThat(summary.newestFirst()).hasSize(75).isSortedAccordingTo((a, b) -> b.at().compareTo(a.at()));
        assertThat(summary.newestFirst())
                .filteredOn(e -> e.kind().equals("ran"))
                .hasSize(50);
        assertThat(summary.newestFirst())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("at")
                .contains(run("ran", 59, Duration.ofSeconds(59), 3, Duration.ofMillis(30_500)));
        assertThat(summary.counters())
                .containsEntry("ran", 60L)
                .containsEntry("acquired", 60L)
                .containsEntry("renewals", 180L)
                .containsEntry("skipped_overlap", 100L)
                .containsEntry("duration_ms", 1000L * 59 * 30)
                .doesNotContainKey("failed");
    }

    @Test
    void anEntryKeepsItsOriginAndEntriesOfEarlierVersionsHaveNone() {
        MemoryRegister register = new MemoryRegister(Clock.systemUTC());
        register.compareAndSet(
                "runs/job",
                "",
                "leasehold runs 1\ncount-ran=1\nrun=1767225600000000 ran 1 60000/90000/30000/2/30000 2 mea detail\n");
        RunLog log = new RunLog(register);
        RunEntry earlier = run("ran", 0, Duration.ofSeconds(60), 2, Duration.ofSeconds(30));
        RunEntry entry = run("failed", 1, Duration.ofSeconds(9), 1, Duration.ofSeconds(30))
                .from(new RunOrigin("sh -c a/b c", "alice", "host", "/a b"));
        log.append(JOB, entry);

        assertThat(log.of(JOB).newestFirst())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("at")
                .containsExactly(entry, earlier);
        assertThat(log.of(JOB).newestFirst().get(1)).isEqualTo(earlier);
    }

    @Test
    void entriesHaveTheStoresTimeWhateverTheClocksOfTheHosts() {
        ManualClock clock = new ManualClock();
        RunLog log = new RunLog(new MemoryRegister(clock));
        Instant now = clock.instant();
        // One host is a day ahead, the other a day behind, and the store's clock is coarse.
        for (Duration wrong : List.of(Duration.ofDays(1), Duration.ofDays(-1))) {
            log.append(JOB, new RunEntry(now.plus(wrong), "ran", null, Holder.of("me"), Duration.ZERO, ""));
        }

        assertThat(log.of(JOB).newestFirst()).extracting(RunEntry::at).containsExactly(now.plusNanos(1000), now);
    }

    @Test
    void theLargestEntriesFitIntoTheRegister() {
        RunLog log = new RunLog(new MemoryRegister(Clock.systemUTC()));
        Holder holder = Holder.of("h".repeat(Holder.MAX_LENGTH));
        String detail = "\u4f60".repeat(2000);
        for (int i = 0; i < 100; i++) {
            FencingToken token = i % 2 == 0 ? FencingToken.of(Long.MAX_VALUE) : null;
            log.append(JOB, new RunEntry(T0, "stale_refused", token, holder, Duration.ofDays(3650), detail));
        }
        assertThat(log.of(JOB).newestFirst()).hasSize(75);
        RunOrigin origin = new RunOrigin("c".repeat(203), "u".repeat(43), "h".repeat(63), "d".repeat(123));
        for (int i = 0; i < 100; i++) {
            FencingToken token = i % 2 == 0 ? FencingToken.of(Long.MAX_VALUE) : null;
            log.append(JOB, new RunEntry(T0, "x", token, holder, Duration.ofDays(3650), detail).from(origin));
        }
        assertThat(log.of(JOB).newestFirst()).hasSizeGreaterThan(40);
    }

    @Test
    void countersDistinguishSkipsFromLosses() throws Exception {
        ManualContext manual = new ManualContext();
        LeaseCounters counters = new LeaseCounters();
        MemoryLeaseStore store = new MemoryLeaseStore(StoreId.of("store-0001"), manual.clock());
        try (Leases leases =
                Leases.over(store).context(manual.context()).listener(counters).build()) {
            leases.run("job", lease -> {
                manual.advance(Duration.ofSeconds(65));
                leases.run("job", inner -> "never");
                lease.reportStale("the page has seen a newer token");
                return null;
            });
        }
        assertThat(counters.counts())
                .containsEntry("acquired", 1L)
                .containsEntry("renewals", 2L)
                .containsEntry("skipped_overlap", 1L)
                .containsEntry("stale_refused", 1L)
                .containsEntry("released", 1L)
                .hasSize(5);
        assertThat(counters.longestGap()).isEqualTo(Duration.ofSeconds(30));
    }
}
