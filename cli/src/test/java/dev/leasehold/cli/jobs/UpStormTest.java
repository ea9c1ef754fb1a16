package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.store.ServerStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three {@code up} processes each on a file store and on PostgreSQL, with a slot every second; one
 * is frozen for longer than its ttl and one is killed, both in the middle of a run.
 * {@code -Dleasehold.up.seconds=120} does it for two minutes.
 */
class UpStormTest {
    private static final int SECONDS = Integer.getInteger("leasehold.up.seconds", 14);
    private static final int POLL = 6;
    private static final int LONGER_THAN_TTL = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final ServerStore POSTGRESQL = ServerStore.POSTGRESQL;

    @TempDir
    Path folder;

    @Test
    void everySlotHasExactlyOneOutcomeAndEveryEffectOneId() throws Exception {
        Storm files = new Storm(folder.resolve("files"), "file:" + folder.resolve("store"));
        Storm postgres = new Storm(folder.resolve("postgres"), POSTGRESQL.url());
        CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> files.runUnchecked());
        postgres.run();
        try {
            beside.get(SECONDS + 120L, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }

        files.requireOneOutcomeEach();
        postgres.requireOneOutcomeEach();
        System.out.println("file: " + files.figures() + "\nPostgreSQL: " + postgres.figures());
    }

    /** The machines of one store and the outcomes of the slots. */
    private static final class Storm {
        private final Path home;
        private final CliRunner cli;
        private final List<Process> machines = new ArrayList<>();
        private final Map<Instant, String> outcomes = new TreeMap<>();
        private final List<String> contradictions = new ArrayList<>();
        private long counted;
        private Instant watermark = Instant.EPOCH;
        private List<Instant> open = List.of();

        Storm(Path home, String url) throws IOException {
            this.home = Files.createDirectories(home);
            this.cli = new CliRunner().withDrivers().env("LEASEHOLD_STORE", url);
            Stores.create(url).close();
            Files.writeString(
                    home.resolve("leasehold.yaml"),
                    """
                    jobs:
                      tick:
                        schedule: "* * * * * *"
                        ttl: 2s
                        catch-up: 5
                        overlap: wait 10s
                        shell: sleep 0.4; echo "$LEASEHOLD_KEY $LEASEHOLD_TOKEN $LEASEHOLD_ATTEMPT" >> effects
                    """);
        }

        void runUnchecked() {
            try {
                run();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void run() throws IOException, InterruptedException {
            try {
                for (int i = 0; i < 3; i++) {
                    machines.add(startMachine(i));
                }
                awaitAllMachines();
                observe(SECONDS / 4);
                Process zombie = freezeInTheMiddle(null);
                observe(Math.max(LONGER_THAN_TTL, SECONDS / 4));
                signal(zombie, "CONT");
                freezeInTheMiddle(zombie).destroyForcibly();
                observe(SECONDS / 2);
                awaitEnough();
                machines.forEach(Process::destroy);
                for (Process machine : machines) {
                    assertThat(machine.waitFor(60, TimeUnit.SECONDS))
                            .as("%s stops", home)
                            .isTrue();
                }
                read();
            } finally {
                machines.forEach(Process::destroyForcibly);
            }
        }

        private Process startMachine(int number) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(
                    cli.commandLine("up", "-f", home.resolve("leasehold.yaml").toString()));
            builder.environment().putAll(cli.environment());
            return builder.redirectErrorStream(true)
                    .redirectOutput(home.resolve("log-" + number).toFile())
                    .start();
        }

        private static void signal(Process machine, String name) throws IOException, InterruptedException {
            new ProcessBuilder("kill", "-s", name, Long.toString(machine.pid()))
                    .start()
                    .waitFor();
        }

        /**
         * Waits until all machines run: freezing or killing a machine before that tests nothing.
         */
        private void awaitAllMachines() throws IOException, InterruptedException {
            Instant end = Instant.now().plus(PATIENCE);
            for (int i = 0; i < machines.size(); i++) {
                while (!Files.readString(home.resolve("log-" + i)).contains(" runs 1 job of ")) {
                    assertThat(Instant.now()).as("%s: %s", home, log()).isBefore(end);
                    Thread.sleep(50);
                }
            }
        }

        /** Freezes a machine that has started a slot and not ended it. */
        private Process freezeInTheMiddle(@Nullable Process butNot) throws IOException, InterruptedException {
            Instant end = Instant.now().plus(PATIENCE);
            for (int i = 0; ; i = (i + 1) % machines.size()) {
                assertThat(Instant.now()).as("%s: %s", home, log()).isBefore(end);
                if (machines.get(i) != butNot && isRunning(i)) {
                    signal(machines.get(i), "STOP");
                    if (isRunning(i)) {
                        return machines.get(i);
                    }
                    signal(machines.get(i), "CONT");
                }
                Thread.sleep(10);
            }
        }

        private boolean isRunning(int machine) throws IOException {
            String log = Files.readString(home.resolve("log-" + machine)).strip();
            return log.substring(log.lastIndexOf('\n') + 1).contains(" started, token ");
        }

        /** Waits longer on a busy machine. */
        private void awaitEnough() throws IOException, InterruptedException {
            Instant end = Instant.now().plus(PATIENCE);
            while (runs() <= SECONDS / 3) {
                assertThat(Instant.now()).as("%s: %s", home, log()).isBefore(end);
                observe(1);
            }
        }

        private long runs() {
            return outcomes.values().stream()
                    .filter(what -> what.startsWith("ran"))
                    .count();
        }

        /** Waits, and reads the record often enough to miss no outcome. */
        private void observe(int seconds) throws InterruptedException {
            Instant end = Instant.now().plusSeconds(seconds);
            while (Instant.now().isBefore(end)) {
                Thread.sleep(Math.min(
                        POLL * 1000L,
                        Math.max(1, Duration.between(Instant.now(), end).toMillis())));
                read();
            }
        }

        @SuppressWarnings("unchecked")
        private void read() {
            CliRunner.Result due = cli.run("due", "tick", "--json", "--limit", "100");
            if (due.out().isEmpty()) {
                return;
            }
            Map<String, Object> job = JsonText.object(due.out());
            for (Map<String, Object> outcome : (List<Map<String, Object>>) job.get("outcomes")) {
                Instant to = Instant.parse((String) outcome.get("to"));
                for (Instant slot = Instant.parse((String) outcome.get("slot"));
                        !slot.isAfter(to);
                        slot = slot.plusSeconds(1)) {
                    String what = outcome.get("outcome") + " at " + outcome.get("at");
                    String before = outcomes.putIfAbsent(slot, what);
                    if (before != null && !before.equals(what)) {
                        contradictions.add(slot + " " + before + ", then " + what);
                    }
                }
            }
            counted = ((Map<String, Number>) job.get("counters"))
                    .values().stream().mapToLong(Number::longValue).sum();
            watermark = Instant.parse((String) job.get("watermark"));
            open = ((List<Map<String, Object>>) job.get("open"))
                    .stream()
                            .map(entry -> Instant.parse((String) entry.get("slot")))
                            .toList();
        }

        void requireOneOutcomeEach() throws IOException {
            assertThat(contradictions).as("%s", home).isEmpty();
            Instant slot = outcomes.keySet().iterator().next();
            for (; !slot.isAfter(watermark); slot = slot.plusSeconds(1)) {
                boolean isOpen = open.contains(slot);
                assertThat(outcomes.containsKey(slot))
                        .as("%s %s %s", home, slot, outcomes)
                        .isNotEqualTo(isOpen);
            }
            assertThat(counted).as("%s", home).isEqualTo(outcomes.size());
            requireOneIdForEveryEffect();
        }

        /**
         * A slot that ran had its effect, perhaps twice under one id; a skipped or dropped slot had
         * none.
         */
        private void requireOneIdForEveryEffect() throws IOException {
            Map<Instant, List<String>> effects = new TreeMap<>();
            for (String line : Files.readAllLines(home.resolve("effects"))) {
                assertThat(line).matches("tick@\\S+Z \\d+ [1-9]");
                Instant slot = Instant.parse(line.substring(5, line.indexOf(' ')));
                effects.computeIfAbsent(slot, s -> new ArrayList<>()).add(line);
            }
            outcomes.forEach((slot, what) -> {
                if (what.startsWith("ran")) {
                    assertThat(effects).as("%s", home).containsKey(slot);
                } else if (!what.startsWith("failed")) {
                    assertThat(effects).as("%s %s", home, what).doesNotContainKey(slot);
                }
            });
            assertThat(effects.keySet().stream().filter(slot -> !open.contains(slot)))
                    .as("%s", home)
                    .isSubsetOf(outcomes.keySet());
            assertThat(effects.values().stream().flatMap(List::stream))
                    .as("%s: a run that was frozen or killed was taken up by another machine, %s", home, log())
                    .anyMatch(line -> !line.endsWith(" 1"));
        }

        /** For the documents. */
        String figures() throws IOException {
            Map<String, Long> kinds = new TreeMap<>();
            outcomes.values().forEach(what -> kinds.merge(what.substring(0, what.indexOf(' ')), 1L, Long::sum));
            return outcomes.size() + " slots " + kinds + ", "
                    + Files.readAllLines(home.resolve("effects")).size() + " effects";
        }

        private String log() throws IOException {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 3; i++) {
                all.append(Files.readString(home.resolve("log-" + i)));
            }
            return all.toString();
        }
    }
}
