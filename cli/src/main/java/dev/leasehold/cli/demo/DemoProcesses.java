package dev.leasehold.cli.demo;

import dev.leasehold.cli.command.StoreUrl;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts, freezes, thaws and finally kills the processes of the demo. */
final class DemoProcesses implements AutoCloseable {
    private static final int MAX_POLLS = 600;
    private static final int POLL_MILLIS = 20;

    private final Path scratch;
    private final List<Process> started = new ArrayList<>();

    DemoProcesses(Path scratch) {
        this.scratch = scratch;
    }

    /** The command line of this program, quoted for a shell. */
    String self() {
        List<String> words = new ArrayList<>();
        words.add(ProcessHandle.current().info().command().orElse("java"));
        for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            // All that the launcher gives: an archive of classes is valid only with the same access to native code.
            if (argument.startsWith("-X") || argument.startsWith("--") || argument.startsWith("-Dleasehold.")) {
                words.add(argument);
            }
        }
        words.addAll(List.of("-cp", System.getProperty("java.class.path", "."), "dev.leasehold.cli.Main"));
        StringBuilder line = new StringBuilder();
        for (String word : words) {
            line.append('\'').append(word.replace("'", "'\\''")).append("' ");
        }
        return line.toString();
    }

    Process shell(String script, String run) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script, "job", run);
        builder.environment().keySet().removeIf(name -> name.startsWith("LEASEHOLD_"));
        builder.environment().put("DEMO", scratch.toString());
        builder.environment().put(StoreUrl.VARIABLE, "file:" + scratch.resolve("store"));
        Process process = builder.redirectInput(
                        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(scratch.resolve(run + ".log").toFile())
                .start();
        started.add(process);
        return process;
    }

    void freeze(Process process) throws IOException, InterruptedException {
        signal("STOP", tree(process));
    }

    void thaw(Process process) throws IOException, InterruptedException {
        signal("CONT", tree(process));
    }

    /** Thaws one process and its children, while its supervisor stays frozen: the worst order. */
    void thaw(long pid) throws IOException, InterruptedException {
        List<ProcessHandle> job = new ArrayList<>();
        ProcessHandle.of(pid).ifPresent(process -> {
            job.add(process);
            process.descendants().forEach(job::add);
        });
        signal("CONT", job);
    }

    void awaitFile(Path file) throws InterruptedException, IOException {
        for (int i = 0; i < MAX_POLLS && !Files.exists(file); i++) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        if (!Files.exists(file)) {
            throw new IOException("the demo timed out waiting for " + file.getFileName());
        }
    }

    int awaitEnd(Process process) throws InterruptedException, IOException {
        if (!process.waitFor((long) MAX_POLLS * POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IOException("a process of the demo did not end");
        }
        return process.exitValue();
    }

    private static List<ProcessHandle> tree(Process process) {
        List<ProcessHandle> all = new ArrayList<>();
        all.add(process.toHandle());
        try (Stream<ProcessHandle> below = process.descendants()) {
            below.forEach(all::add);
        }
        return all;
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        for (ProcessHandle process : processes) {
            command.add(Long.toString(process.pid()));
        }
        new ProcessBuilder(command).start().waitFor();
    }

    /** Kills all processes of the demo, including frozen ones. */
    @Override
    public void close() {
        for (Process process : started) {
            for (ProcessHandle handle : tree(process)) {
                handle.destroyForcibly();
            }
        }
    }
}
