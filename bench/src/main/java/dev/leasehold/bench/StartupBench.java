package dev.leasehold.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code ./leasehold run x -- true}, including the launcher, against an empty main on the same JDK
 * with the same flags.
 */
final class StartupBench {
    private StartupBench() {}

    static void run(Path directory) throws Exception {
        Path launcher = Path.of("leasehold").toAbsolutePath();
        String store = "file:" + directory.resolve("store");
        List<String> leasehold = List.of(launcher.toString(), "run", "x", "--store", store, "--", "true");
        start(leasehold);
        List<String> empty = emptyMain(Path.of("target/launch/current"));
        new Comparison("start-up: wall time of a command", 1, 60)
                .add("an empty main", times -> start(empty))
                .add("./leasehold --version", times -> start(List.of(launcher.toString(), "--version")))
                .add("./leasehold run x -- true", times -> start(leasehold))
                .run();
    }

    /**
     * The JVM and the flags that the launcher chose, without its class path and its class archive.
     */
    static List<String> emptyMain(Path current) throws IOException {
        List<String> lines = Files.readAllLines(current);
        List<String> flags = Files.readAllLines(Path.of(lines.get(1), "builtin.flags"));
        List<String> command = new ArrayList<>();
        command.add(lines.get(2) + "/bin/java");
        for (int i = 0; i < flags.size(); i++) {
            if (flags.get(i).equals("-cp")) {
                i++;
            } else if (!flags.get(i).contains("Archive") && !flags.get(i).contains("AOT")) {
                command.add(flags.get(i));
            }
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path", "."), EmptyMain.class.getName()));
        return command;
    }

    private static void start(List<String> command) throws IOException, InterruptedException {
        int code = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException(command + " ended with " + code);
        }
    }
}
