package dev.leasehold.cli.demo;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** {@code leasehold demo}: the zombie's story, told with real processes that are really frozen. */
public final class DemoCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("demo", "two runs collide, one becomes a zombie, its late write is refused")
                .description(
                        """
                        Tells the story in a scratch directory, with real processes that are really frozen (SIGSTOP),
                        first without a lease, so that the damage is seen, then with one. Takes under 15 seconds and
                        leaves nothing behind.""")
                .example("leasehold demo");
    }

    @Override
    public int run(Invocation invocation) throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("leasehold-demo-");
        try (DemoProcesses processes = new DemoProcesses(scratch)) {
            return new DemoStory(invocation.console(), scratch, processes).tell();
        } finally {
            delete(scratch);
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(directory)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }
}
