package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The units in {@code packaging/systemd}; {@code scripts/check-systemd} runs them. */
class SystemdUnitsTest {
    private static final Path UNITS = Path.of("../packaging/systemd");

    @TempDir
    Path directory;

    private static List<Path> units() throws IOException {
        try (Stream<Path> files = Files.list(UNITS)) {
            return files.sorted().toList();
        }
    }

    @Test
    @Requires("systemd-analyze")
    void systemdAcceptsTheUnits() throws Exception {
        List<String> command = new ArrayList<>(List.of("systemd-analyze", "verify"));
        for (Path unit : units()) {
            // The program and its pages need not be installed here, and a template needs a name.
            String text = Files.readString(unit)
                    .replace("/usr/bin/leasehold", "/bin/true")
                    .replaceAll("(?m)^Documentation=.*\n", "");
            String name = unit.getFileName().toString().replace("@.", "@site.");
            command.add(Files.writeString(directory.resolve(name), text).toString());
        }
        assertThat(command).hasSizeGreaterThan(4);
        Process verify = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(verify.waitFor()).as(said).isZero();
        assertThat(said).isEmpty();
    }

    /** The messages come from systemd-notify, which is not the main process. */
    @Test
    void servicesThatRunForLongTellWhenTheyAreReady() throws IOException {
        for (String name : List.of("leasehold-up@.service", "leasehold-serve.service")) {
            assertThat(Files.readString(UNITS.resolve(name)).lines())
                    .contains("Type=notify", "NotifyAccess=all", "RestartPreventExitStatus=64");
        }
        assertThat(Files.readString(UNITS.resolve("leasehold-up@.service")).lines())
                .contains("ExecReload=/bin/kill -HUP $MAINPID");
    }
}
