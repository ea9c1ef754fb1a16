package dev.leasehold.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.FencedFile;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Transfer;
import dev.leasehold.store.FileLeaseStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that acquire and write as fast as they can, killed at random moments. */
class RandomKillTest {
    private static final int ROUNDS = Integer.getInteger("leasehold.crash.random.rounds", 6);

    @TempDir
    Path root;

    @Test
    void acknowledgedWritesSurviveRandomKills() throws Exception {
        Path file = root.resolve("log");
        SystemIds ids = new SystemIds();
        List<Long> granted = new ArrayList<>();
        List<Long> wrote = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (String line : outputUntilKilled(file, ids)) {
                assertThat(line).matches("(granted|wrote|refused) \\d+");
                long token = Long.parseLong(line.substring(line.indexOf(' ') + 1));
                if (line.startsWith("granted")) {
                    granted.add(token);
                } else if (line.startsWith("wrote")) {
                    wrote.add(token);
                }
            }
            FencedFile.at(file).waitingAtMost(Duration.ofSeconds(5)).state();
            List<Long> landed =
                    Files.readAllLines(file).stream().map(Long::valueOf).toList();
            assertThat(landed).containsAll(wrote).isSorted().doesNotHaveDuplicates();
        }
        assertThat(granted).hasSizeGreaterThan(ROUNDS).doesNotHaveDuplicates();
        try (FileLeaseStore store = FileLeaseStore.create(root.resolve("store"), ids)) {
            List<Transfer> history = store.history(Storm.NAME, 1);
            assertThat(history.get(0).token().value()).isGreaterThanOrEqualTo(Collections.max(granted));
        }
    }

    /** Lets the process do some work first, however slow this machine is. */
    private List<String> outputUntilKilled(Path file, SystemIds ids) throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            actor.ask("open " + root.resolve("store"));
            actor.send("storm " + file + " fenced 60000");
            List<String> output = new ArrayList<>();
            while (output.size() < 6) {
                output.add(actor.hear());
            }
            TimeUnit.MICROSECONDS.sleep(ids.below(100_000));
            actor.kill();
            output.addAll(actor.hearAll());
            return output;
        }
    }
}
