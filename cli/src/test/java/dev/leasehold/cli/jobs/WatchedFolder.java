package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A folder that processes write to while a test waits for what they write. */
record WatchedFolder(Path folder) {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** The text of a file, empty if it does not exist yet. */
    String read(String name) {
        try {
            Path file = folder.resolve(name);
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** @param log what to show if the condition does not come true */
    static void await(String what, BooleanSupplier condition, Supplier<String> log) throws InterruptedException {
        Instant end = Instant.now().plus(PATIENCE);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).as("%s: %s", what, log.get()).isBefore(end);
            Thread.sleep(50);
        }
    }
}
