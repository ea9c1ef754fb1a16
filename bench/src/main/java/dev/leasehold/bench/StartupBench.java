package dev.leasehold.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code ./leasehold run x -- true}, including the launcher, against an empty main on the same JDK
 * with the same flags, and against the same command of an installation of this checkout; and how
 * long an agent waits for {@code ./leasehold mcp}.
 */
final class StartupBench {
    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
            """;

    private StartupBench() {}

    static void run(Path directory) throws Exception {
        Path launcher = Path.of("leasehold").toAbsolutePath();
        String store = "file:" + directory.resolve("store");
        List<String> leasehold = List.of(launcher.toString(), "run", "x", "--store", store, "--", "true");
        start(List.of(launcher.toString(), "store", "init", store));
        start(leasehold);
        Path prefix = directory.resolve("installed");
        start(List.of(launcher.toString(), "install", prefix.toString()));
        List<String> installed = new ArrayList<>(leasehold);
        installed.set(0, prefix.resolve("bin/leasehold").toString());
        start(installed);
        List<String> agent = List.of(launcher.toString(), "mcp", "--store", store);
        List<String> empty = emptyMain(Path.of("target/launch/current"));
        new Comparison("start-up: wall time of a command", 1, 60)
                .add("an empty main", times -> start(empty))
                .add("./leasehold --version", times -> start(List.of(launcher.toString(), "--version")))
                .add("./leasehold run x -- true", times -> start(leasehold))
                .add("the same, installed", times -> start(installed))
                .addTimed("./leasehold mcp, to its answer to initialize", times -> initialize(agent))
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

    /** The time until the first answer, in microseconds. The end of the program does not count. */
    private static double initialize(List<String> command) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (OutputStream in = process.getOutputStream();
                BufferedReader out =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            in.write(INITIALIZE.getBytes(StandardCharsets.UTF_8));
            in.flush();
            String answer = out.readLine();
            double micros = (System.nanoTime() - begun) / 1000.0;
            if (answer == null || !answer.contains("protocolVersion")) {
                throw new IOException(command + " answered " + answer);
            }
            in.close();
            process.waitFor();
            return micros;
        }
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
