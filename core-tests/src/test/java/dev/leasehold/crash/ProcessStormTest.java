package dev.leasehold.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several processes with several threads each compete for one lease and rewrite one file. One of
 * them is frozen repeatedly right after it was granted the lease, until another process has
 * written, and goes on as a zombie; in the end all of them are killed at random points.
 */
class ProcessStormTest {
    private static final int ZOMBIES = Integer.getInteger("leasehold.crash.storm.zombies", 2);
    private static final int MAX_FREEZES = 20 + 5 * ZOMBIES;
    private static final long MAX_FREEZE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    Path root;

    @Test
    void noAcknowledgedWriteIsLostAndNoTokenIsIssuedTwice() throws Exception {
        Path file = root.resolve("log");
        List<String> printed = storm(file, "fenced", 4, "refused ");

        assertThat(printed).as("failures").noneMatch(line -> line.startsWith("failed"));
        assertThat(tokens(printed, "granted ")).as("tokens of one name").doesNotHaveDuplicates();
        List<Long> landed = landed(file);
        assertThat(landed).as("writes in the order of their tokens").isSorted().doesNotHaveDuplicates();
        assertThat(landed).as("acknowledged writes").containsAll(tokens(printed, "wrote "));
        assertThat(landed).as("refused writes").doesNotContainAnyElementsOf(tokens(printed, "refused "));
    }

    /** Shows that the test above can fail: without a fence the same storm loses writes. */
    @Test
    void withoutAFenceAcknowledgedWritesAreLost() throws Exception {
        Path file = root.resolve("log");
        List<String> printed = storm(file, "plain", 2, "wrote ");
        assertThat(tokens(printed, "granted "))
                .as("the lease itself is correct")
                .doesNotHaveDuplicates();
        Set<Long> lost = new HashSet<>(tokens(printed, "wrote "));
        lost.removeAll(landed(file));
        assertThat(lost).as("acknowledged writes that are missing").isNotEmpty();
    }

    /**
     * @param zombiePrints what a process prints that went on after its lease was taken over while it
     *     was frozen
     */
    private List<String> storm(Path file, String mode, int processes, String zombiePrints) throws Exception {
        List<Competitor> competitors = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                ActorProcess actor = ActorProcess.start();
                competitors.add(new Competitor(actor));
                actor.ask("open " + root.resolve("store"));
            }
            for (Competitor competitor : competitors) {
                competitor.actor.send("storm " + file + " " + mode + " 600000");
                competitor.listen();
            }
            int zombies = 0;
            for (int freezes = 0; zombies < ZOMBIES; freezes++) {
                assertThat(freezes).as("freezes that made %s zombies", zombies).isLessThan(MAX_FREEZES);
                zombies += makeZombie(competitors, zombiePrints) ? 1 : 0;
            }
            List<String> printed = new ArrayList<>();
            for (Competitor competitor : competitors) {
                competitor.actor.kill();
                printed.addAll(competitor.all());
            }
            return printed;
        } finally {
            competitors.forEach(competitor -> competitor.actor.close());
        }
    }

    /**
     * Returns false if the process was frozen too late, after its work was done, or where it
     * blocked all others.
     */
    private static boolean makeZombie(List<Competitor> competitors, String zombiePrints) throws Exception {
        Competitor victim = competitors.get(0);
        List<Competitor> others = competitors.subList(1, competitors.size());
        String granted = victim.next(victim.lineCount(), line -> line.startsWith("granted "));
        victim.actor.freeze();
        int before = victim.lineCount();
        boolean overtaken = Competitor.awaitWriteAbove(Long.parseLong(granted.substring(8)), others);
        victim.actor.thaw();
        String end = victim.next(0, line -> line.matches("(wrote|refused) " + granted.substring(8)));
        return overtaken && end.startsWith(zombiePrints) && victim.positionOf(end) >= before;
    }

    private static List<Long> landed(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(Long::valueOf).toList();
    }

    private static List<Long> tokens(List<String> printed, String what) {
        return printed.stream()
                .filter(line -> line.startsWith(what))
                .map(line -> Long.valueOf(line.substring(what.length())))
                .toList();
    }

    /** A process and its output so far. */
    private static final class Competitor {
        private final ActorProcess actor;
        private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
        private final Thread listener = new Thread(this::readOutput);

        Competitor(ActorProcess actor) {
            this.actor = actor;
        }

        void listen() {
            listener.setDaemon(true);
            listener.start();
        }

        private void readOutput() {
            try {
                for (String line = actor.hear(); line != null; line = actor.hear()) {
                    lines.add(line);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        int lineCount() {
            return lines.size();
        }

        int positionOf(String line) {
            return lines.indexOf(line);
        }

        List<String> all() throws InterruptedException {
            listener.join();
            return List.copyOf(lines);
        }

        String next(int from, Predicate<String> wanted) throws InterruptedException {
            long end = System.nanoTime() + PATIENCE_NANOS;
            for (int at = from; System.nanoTime() - end < 0; ) {
                if (at >= lines.size()) {
                    TimeUnit.MILLISECONDS.sleep(1);
                } else if (wanted.test(lines.get(at++))) {
                    return lines.get(at - 1);
                }
            }
            throw new AssertionError("the process did not print the expected line: " + lines);
        }

        /**
         * Waits until another process has written with a higher token. The wait is limited: the
         * frozen process may hold the lock of the store, which is never broken.
         */
        static boolean awaitWriteAbove(long token, List<Competitor> competitors) throws InterruptedException {
            long end = System.nanoTime() + MAX_FREEZE_NANOS;
            while (System.nanoTime() - end < 0) {
                for (Competitor competitor : competitors) {
                    if (tokens(List.copyOf(competitor.lines), "wrote ").stream().anyMatch(t -> t > token)) {
                        return true;
                    }
                }
                TimeUnit.MILLISECONDS.sleep(2);
            }
            return false;
        }
    }
}
