package dev.leasehold.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs the named measurements, or those of the core, in a scratch directory below the current one. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        List<String> chosen = args.length == 0
                ? List.of("start-up", "fenced-write", "publish", "git-push", "file-store", "hold-many")
                : List.of(args);
        Path scratch = Files.createTempDirectory(Path.of("").toAbsolutePath(), "bench-scratch-");
        try {
            System.out.println(System.getProperty("java.vm.name") + " " + System.getProperty("java.version") + ", "
                    + Runtime.getRuntime().availableProcessors() + " cores, "
                    + Files.getFileStore(scratch).type());
            for (String name : chosen) {
                switch (name) {
                    case "start-up" -> StartupBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "fenced-write" -> FencedWriteBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "publish" -> PublishBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "git-push" -> GitPushBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "file-store" -> FileStoreBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "hold-many" -> HoldManyBench.run();
                    case "postgresql" -> PostgresBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "many" -> ManyBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "spring" -> SpringBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "server" -> ServerBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "redis" -> RedisBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "stores" -> StoresBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "agent-hook" -> AgentHookBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "large-store" -> LargeStoreBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "many-names" -> ManyNamesBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "herd" -> HerdBench.run(Files.createDirectory(scratch.resolve(name)));
                    case "many-jobs" -> ManyJobsBench.run(Files.createDirectory(scratch.resolve(name)));
                    default -> throw new IllegalArgumentException("no such measurement: " + name);
                }
            }
        } finally {
            delete(scratch);
        }
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
