package dev.leasehold.testkit.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.nemesis.Said.Word;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a store and its fence must survive with real processes: holders that are frozen past their ttl, killed, cut off, given a
 * wrong time of day, and whose server is killed under them. No acknowledged write may be lost, and none may come from a stale
 * token. The same holders without the fence lose writes, which shows that this test can fail.
 *
 * <p>Extend it in a class with a constructor without arguments, since the holder processes make an instance too; they are
 * started with the class path of the test. {@code -Dleasehold.nemesis.seconds=600} makes it longer, {@code
 * -Dleasehold.nemesis.seed=N} does the faults of an earlier run in the same order. Needs Linux, and libfaketime.
 */
@Requires(InstalledProgram.LIBFAKETIME)
public abstract class NemesisContract {
    private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("leasehold.nemesis.seconds", 60));
    private static final long SEED = Long.getLong("leasehold.nemesis.seed", System.nanoTime() & 0xffffff);
    private static final int HOSTS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Testimony testimony = new Testimony();

    /** Called in the test: makes the place of the store and its target, with a server if there is one. */
    protected abstract Site openSite(Path directory) throws Exception;

    /** Called in each holder process and in the test: opens what the address names. It may not answer yet. */
    protected abstract Contested open(String address) throws Exception;

    @Test
    void noAcknowledgedWriteIsLostAndNoStaleOneLandsWhateverHappens(@TempDir Path directory) throws Exception {
        System.out.println(title() + " for " + LENGTH.toSeconds() + " s; -Dleasehold.nemesis.seed=" + SEED);
        try (Site site = openSite(directory)) {
            List<Host> hosts = new ArrayList<>();
            try {
                startHosts(hosts, site, directory, HOSTS, HolderMain.FENCED);
                Nemesis nemesis = new Nemesis(SEED, hosts, site, testimony);
                awaitWriteAbove(0, nemesis);
                nemesis.rage(LENGTH);
                awaitWriteAbove(testimony.highest(Word.WROTE), nemesis);
                finish(hosts);
                Judgement judgement = new Judgement(testimony.all(), content(site));
                System.out.println(summary(hosts, nemesis));
                judgement.requireNothingLostAndNothingStale();
                requireHarm(site, hosts, nemesis);
            } finally {
                Host.closeAll(hosts);
            }
        }
    }

    /** Proof that the test above can fail: without the fence, and with nothing worse than a process that is paused. */
    @Test
    void withoutTheFenceAcknowledgedWritesAreLost(@TempDir Path directory) throws Exception {
        try (Site site = openSite(directory)) {
            List<Host> hosts = new ArrayList<>();
            try {
                startHosts(hosts, site, directory, 2, HolderMain.PLAIN);
                Nemesis nemesis = new Nemesis(SEED, hosts, site, testimony);
                long end = System.nanoTime() + PATIENCE.toNanos();
                Judgement judgement = new Judgement(List.of(), "");
                while (judgement.lost().isEmpty() && System.nanoTime() - end < 0) {
                    nemesis.makeZombie();
                    nemesis.passUntilHealed();
                    nemesis.pass(200);
                    judgement = new Judgement(testimony.all(), content(site));
                }
                System.out.println(title() + " without the fence lost " + judgement.lost());
                assertThat(judgement.lost())
                        .as("acknowledged writes that are gone")
                        .isNotEmpty();
                judgement.requireRisingTokens();
            } finally {
                Host.closeAll(hosts);
            }
        }
    }

    private void startHosts(List<Host> hosts, Site site, Path directory, int count, String mode) throws Exception {
        for (int i = 0; i < count; i++) {
            Host host = new Host(getClass().getName(), mode, directory, i, site, testimony);
            hosts.add(host);
            host.start();
        }
    }

    private static void finish(List<Host> hosts) throws Exception {
        for (Host host : hosts) {
            host.finish();
        }
    }

    /** Also after the last fault: whoever is left must be able to go on. */
    private void awaitWriteAbove(long token, Nemesis nemesis) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (testimony.highest(Word.WROTE) <= token) {
            assertThat(System.nanoTime())
                    .as("a write above token %s: %s", token, testimony.latest())
                    .isLessThan(end);
            nemesis.pass(50);
        }
    }

    /** Straight from the server, past the links. */
    private String content(Site site) throws Exception {
        try (Contested contested = open(site.address(site.port().orElse(0)))) {
            return contested.read();
        }
    }

    private void requireHarm(Site site, List<Host> hosts, Nemesis nemesis) {
        for (FaultKind kind : Nemesis.kinds(site)) {
            assertThat(nemesis.done().getOrDefault(kind, 0))
                    .as("faults of kind %s", kind)
                    .isPositive();
        }
        assertThat(testimony.count(Word.STALE))
                .as("stale writes that were refused")
                .isPositive();
        assertThat(testimony.grantsUnderWrongClocks())
                .as("grants to hosts with a wrong clock")
                .isPositive();
        if (site.port().isPresent()) {
            assertThat(harmedMessages(hosts))
                    .as("connections and messages that came to harm")
                    .isPositive();
        }
    }

    private static long harmedMessages(List<Host> hosts) {
        long harmed = 0;
        for (Host host : hosts) {
            harmed += host.harmed();
        }
        return harmed;
    }

    private String summary(List<Host> hosts, Nemesis nemesis) {
        StringBuilder text = new StringBuilder(title());
        text.append(": ").append(testimony.count(Word.GRANTED)).append(" grants, ");
        text.append(testimony.count(Word.WRITING)).append(" writes, ");
        text.append(testimony.count(Word.WROTE)).append(" acknowledged, ");
        text.append(testimony.count(Word.STALE)).append(" refused as stale, ");
        text.append(testimony.count(Word.LATE)).append(" too late to begin, ");
        text.append(testimony.count(Word.UNKNOWN)).append(" unanswered, ");
        text.append(testimony.grantsUnderWrongClocks()).append(" grants under a wrong clock, ");
        text.append(harmedMessages(hosts)).append(" connections and messages harmed; faults:");
        for (Map.Entry<FaultKind, Integer> fault : nemesis.done().entrySet()) {
            text.append(' ').append(fault.getKey()).append('=').append(fault.getValue());
        }
        return text.toString();
    }

    private String title() {
        return "nemesis of " + getClass().getSimpleName();
    }
}
