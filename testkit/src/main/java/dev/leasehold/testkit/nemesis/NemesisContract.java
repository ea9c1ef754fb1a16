package dev.leasehold.testkit.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.nemesis.HolderReport.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a store and its fence with real processes: holders are frozen past their ttl, killed, cut
 * off and given a wrong time of day, and their server is killed. No acknowledged write may be lost,
 * and no write with a stale token may take effect. Without the fence the same holders lose writes,
 * which shows that this test can fail.
 *
 * <p>The class that extends it needs a constructor without arguments, because the holder processes
 * create an instance too; they run with the class path of the test.
 * {@code -Dleasehold.nemesis.seconds=600} makes the test longer, {@code -Dleasehold.nemesis.seed=N}
 * repeats the faults of an earlier run in the same order. It needs Linux and libfaketime.
 */
@Requires(InstalledProgram.LIBFAKETIME)
public abstract class NemesisContract {
    private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("leasehold.nemesis.seconds", 20));
    private static final long SEED = Long.getLong("leasehold.nemesis.seed", System.nanoTime() & 0xffffff);
    private static final int HOSTS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration MORE = Duration.ofSeconds(5);

    private final HolderReports reports = new HolderReports();

    /**
     * Called in the test: creates the place of the store and its target, and starts the server if
     * there is one.
     */
    protected abstract Site openSite(Path directory) throws Exception;

    /**
     * Called in each holder process and in the test: opens the store and the target at this
     * address. The server may not answer yet.
     */
    protected abstract ContestedTarget open(String address) throws Exception;

    @Test
    void noAcknowledgedWriteIsLostAndNoStaleWriteTakesEffect(@TempDir Path directory) throws Exception {
        System.out.println(title() + " for " + LENGTH.toSeconds() + " s; -Dleasehold.nemesis.seed=" + SEED);
        try (Site site = openSite(directory)) {
            List<Host> hosts = new ArrayList<>();
            try {
                startHosts(hosts, site, directory, HOSTS, HolderMain.FENCED);
                Nemesis nemesis = new Nemesis(SEED, hosts, site, reports);
                awaitWriteAbove(0, nemesis);
                nemesis.run(LENGTH);
                // A busy machine needs longer until each of them has happened.
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (!missing(site, hosts, nemesis).isEmpty() && System.nanoTime() - end < 0) {
                    nemesis.run(MORE);
                }
                awaitWriteAbove(reports.highest(Kind.WROTE), nemesis);
                finish(hosts);
                Verdict verdict = new Verdict(reports.all(), content(site));
                System.out.println(summary(hosts, nemesis));
                verdict.requireNothingLostAndNothingStale();
                assertThat(missing(site, hosts, nemesis))
                        .as("what has not happened")
                        .isEmpty();
            } finally {
                Host.closeAll(hosts);
            }
        }
    }

    /**
     * Shows that the test above can fail: without the fence, a paused process is enough to lose
     * writes.
     */
    @Test
    void withoutTheFenceAcknowledgedWritesAreLost(@TempDir Path directory) throws Exception {
        try (Site site = openSite(directory)) {
            List<Host> hosts = new ArrayList<>();
            try {
                startHosts(hosts, site, directory, 2, HolderMain.PLAIN);
                Nemesis nemesis = new Nemesis(SEED, hosts, site, reports);
                long end = System.nanoTime() + PATIENCE.toNanos();
                Verdict verdict = new Verdict(List.of(), "");
                while (verdict.lost().isEmpty() && System.nanoTime() - end < 0) {
                    nemesis.makeZombie();
                    nemesis.passUntilHealed();
                    nemesis.pass(200);
                    verdict = new Verdict(reports.all(), content(site));
                }
                System.out.println(title() + " without the fence lost " + verdict.lost());
                assertThat(verdict.lost())
                        .as("acknowledged writes that are gone")
                        .isNotEmpty();
                verdict.requireRisingTokens();
            } finally {
                Host.closeAll(hosts);
            }
        }
    }

    private void startHosts(List<Host> hosts, Site site, Path directory, int count, String mode) throws Exception {
        for (int i = 0; i < count; i++) {
            Host host = new Host(getClass().getName(), mode, directory, i, site, reports);
            hosts.add(host);
            host.start();
        }
    }

    private static void finish(List<Host> hosts) throws Exception {
        for (Host host : hosts) {
            host.finish();
        }
    }

    /** Also called after the last fault: the remaining holders must be able to write. */
    private void awaitWriteAbove(long token, Nemesis nemesis) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (reports.highest(Kind.WROTE) <= token) {
            assertThat(System.nanoTime())
                    .as("a write above token %s: %s", token, reports.latest())
                    .isLessThan(end);
            nemesis.pass(50);
        }
    }

    /** Reads the target from the server, without the links. A server that was just restarted may not answer yet. */
    private String content(Site site) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (ContestedTarget contested = open(site.address(site.port().orElse(0)))) {
                return contested.read();
            } catch (StoreUnavailableException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    /** The faults and their consequences without which a run shows nothing. */
    private List<String> missing(Site site, List<Host> hosts, Nemesis nemesis) {
        List<String> missing = new ArrayList<>();
        for (FaultKind kind : Nemesis.kinds(site)) {
            if (nemesis.done().getOrDefault(kind, 0) == 0) {
                missing.add("faults of kind " + kind);
            }
        }
        if (reports.count(Kind.STALE) == 0) {
            missing.add("stale writes that were refused");
        }
        if (reports.grantsUnderWrongClocks() == 0) {
            missing.add("grants to hosts with a wrong clock");
        }
        if (site.port().isPresent() && damagedMessages(hosts) == 0) {
            missing.add("damaged connections and messages");
        }
        return missing;
    }

    private static long damagedMessages(List<Host> hosts) {
        long damaged = 0;
        for (Host host : hosts) {
            damaged += host.damaged();
        }
        return damaged;
    }

    private String summary(List<Host> hosts, Nemesis nemesis) {
        StringBuilder text = new StringBuilder(title());
        text.append(": ").append(reports.count(Kind.GRANTED)).append(" grants, ");
        text.append(reports.count(Kind.WRITING)).append(" writes, ");
        text.append(reports.count(Kind.WROTE)).append(" acknowledged, ");
        text.append(reports.count(Kind.STALE)).append(" refused as stale, ");
        text.append(reports.count(Kind.LATE)).append(" too late to begin, ");
        text.append(reports.count(Kind.UNKNOWN)).append(" unanswered, ");
        text.append(reports.grantsUnderWrongClocks()).append(" grants under a wrong clock, ");
        text.append(damagedMessages(hosts)).append(" connections and messages damaged; faults:");
        for (Map.Entry<FaultKind, Integer> fault : nemesis.done().entrySet()) {
            text.append(' ').append(fault.getKey()).append('=').append(fault.getValue());
        }
        return text.toString();
    }

    private String title() {
        return "nemesis of " + getClass().getSimpleName();
    }
}
