package dev.leasehold.cli.child;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A supervised command in this JVM, with its output. */
final class SupervisedRuns {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final SupervisedCommand command;
    private volatile double deadline;

    private SupervisedRuns(
            Platform platform,
            Duration left,
            Duration grace,
            Map<String, String> set,
            Set<String> removed,
            List<String> argv)
            throws IOException {
        command = SupervisedCommand.start(
                platform,
                Thread::new,
                argv,
                set,
                removed,
                () -> {
                    deadline = Linux.uptime() + left.toMillis() / 1000.0;
                    return left;
                },
                grace,
                Stdio.piped(out, err, () -> {}),
                null,
                supervisor -> {});
    }

    static SupervisedRuns start(String... argv) throws IOException {
        return start(Duration.ofSeconds(30), Duration.ofSeconds(5), argv);
    }

    static SupervisedRuns start(Duration left, Duration grace, String... argv) throws IOException {
        return new SupervisedRuns(Platform.detect(), left, grace, Map.of(), Set.of(), List.of(argv));
    }

    static SupervisedRuns start(Platform platform, Duration left, Duration grace, String... argv) throws IOException {
        return new SupervisedRuns(platform, left, grace, Map.of(), Set.of(), List.of(argv));
    }

    static SupervisedRuns start(Map<String, String> set, Set<String> removed, String... argv) throws IOException {
        return new SupervisedRuns(
                Platform.detect(), Duration.ofSeconds(30), Duration.ofSeconds(5), set, removed, List.of(argv));
    }

    /** In seconds since boot, and not earlier than the deadline that the supervisor got. */
    double deadline() {
        return deadline;
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    long pid() throws Exception {
        Linux.eventually(
                "the command has its session",
                () -> command.pid().isPresent()
                        && Linux.leadsItsGroup(command.pid().getAsLong()));
        return command.pid().orElseThrow();
    }

    void awaitOutput(String text) throws Exception {
        Linux.eventually("the command prints " + text, () -> out().contains(text));
    }

    /** The bash processes around the command: the supervisor first, then its watcher. */
    List<ProcessHandle> supervisorAndWatcher() throws Exception {
        long pid = pid();
        ProcessHandle supervisor = ProcessHandle.of(pid).orElseThrow().parent().orElseThrow();
        return List.of(
                supervisor,
                supervisor
                        .children()
                        .filter(child -> child.pid() != pid)
                        .findFirst()
                        .orElseThrow());
    }
}
