package dev.leasehold.cli.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SystemdNotifierTest {
    private final List<String> warnings = new CopyOnWriteArrayList<>();

    @TempDir
    Path directory;

    private SystemdNotifier notifier(String socket, String path) {
        return new SystemdNotifier(Map.of("NOTIFY_SOCKET", socket, "PATH", path), warnings::add);
    }

    private String program(String script) throws Exception {
        Path program = Files.writeString(directory.resolve("systemd-notify"), "#!/bin/sh\n" + script + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return directory + ":" + System.getenv("PATH");
    }

    @Test
    @Requires({"systemd-notify", "python3"})
    void systemdGetsEveryMessageInOrder() throws Exception {
        try (NotifySocket systemd = new NotifySocket(directory)) {
            try (SystemdNotifier notifier = notifier(systemd.address(), System.getenv("PATH"))) {
                notifier.ready("runs 2 jobs\nREADY=0");
                notifier.reloading();
                notifier.ready("runs 3 jobs");
                notifier.status("the store does not answer");
                notifier.stopping();
            }
            assertThat(systemd.received().replaceAll("MONOTONIC_USEC=[0-9]{6,}\n", "MONOTONIC_USEC=...\n"))
                    .isEqualTo(
                            """
                            READY=1
                            STATUS=runs 2 jobs READY=0
                            RELOADING=1
                            MONOTONIC_USEC=...
                            STATUS=reads its file again
                            READY=1
                            STATUS=runs 3 jobs
                            STATUS=the store does not answer
                            STOPPING=1
                            STATUS=stopping
                            """);
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void withoutSystemdNothingIsStarted() throws Exception {
        String path = program("touch " + directory.resolve("called"));
        for (Map<String, String> environment :
                List.of(Map.of("PATH", path), Map.of("PATH", path, "NOTIFY_SOCKET", ""))) {
            try (SystemdNotifier notifier = new SystemdNotifier(environment, warnings::add)) {
                notifier.ready("ready");
                notifier.stopping();
            }
        }
        assertThat(directory.resolve("called")).doesNotExist();
        assertThat(warnings).isEmpty();
    }

    /** A service that cannot tell systemd anything works all the same, and says so once. */
    @Test
    void whatCannotBeSentIsSaidOnce() throws Exception {
        try (SystemdNotifier notifier = notifier("/no/such/socket", directory.toString())) {
            notifier.ready("ready");
            notifier.stopping();
        }
        assertThat(warnings).singleElement().asString().contains("systemd-notify was not found", "Type=exec");
        warnings.clear();
        try (SystemdNotifier notifier = notifier("/no/such/socket", program("echo broken >&2; exit 1"))) {
            notifier.ready("ready");
            notifier.stopping();
        }
        assertThat(warnings).singleElement().asString().contains("broken");
    }

    @Test
    void aProgramThatHangsDelaysNothing() throws Exception {
        Instant began = Instant.now();
        try (SystemdNotifier notifier = notifier("/no/such/socket", program("exec sleep 60"))) {
            for (int i = 0; i < 1000; i++) {
                notifier.status("line " + i);
            }
            assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(2));
        }
        assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(20));
        assertThat(warnings).hasSize(1);
    }
}
