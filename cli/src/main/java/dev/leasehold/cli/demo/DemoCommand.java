package dev.leasehold.cli.demo;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** {@code leasehold demo}: shows a late write of a zombie with real processes. */
public final class DemoCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("demo", "watch two runs collide and a late write being refused")
                .description(
                        """
                        Two runs collide in a scratch directory, and one of them becomes a zombie. The processes are
                        real and are frozen with SIGSTOP. The first act has no lease and shows the damage, the second
                        act has one. Takes under 15 seconds and leaves nothing behind.""")
                .example("leasehold demo");
    }

    @Override
    public int run(Invocation invocation) throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("leasehold-demo-");
        FileLeaseStore.create(scratch.resolve("store")).close();
        try (DemoProcesses processes = new DemoProcesses(scratch)) {
            return new DemoStory(invocation, scratch, processes).tell();
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
