package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunOptionsTest {
    @TempDir
    Path scratch;

    private CliRunner.Result run(String... options) {
        return CliRunner.withStore(scratch.resolve("store"))
                .run(Stream.of(List.of("run", "job"), List.of(options), List.of("--", "true"))
                        .flatMap(List::stream)
                        .toArray(String[]::new));
    }

    @Test
    void timesThatCannotWorkAreRefusedWithTheArithmetic() {
        CliRunner.Result result = run("--ttl", "10s", "--heartbeat", "6s");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("2 x heartbeat (6s)").contains("less than the ttl of 10s");
    }

    @Test
    void aTtlOutOfRangeIsShownAsItWasTyped() {
        for (String ttl : new String[] {"0s", "999ms", "400d"}) {
            CliRunner.Result result = run("--ttl", ttl);

            assertThat(result.code()).isEqualTo(64);
            assertThat(result.err()).contains("--ttl " + ttl + " is out of range: it must be between 1s and 366d");
        }
    }

    @Test
    void optionsThatContradictEachOtherAreRefused() {
        assertThat(run("--on-busy", "skip", "--wait", "1s").code()).isEqualTo(64);
        assertThat(run("--on-busy", "maybe").code()).isEqualTo(64);
        assertThat(run("--progress-on", "output").code()).isEqualTo(64);
        assertThat(run("--json").code()).isEqualTo(64);
        assertThat(run("--report", "missing/dir/report").code()).isEqualTo(64);
        assertThat(run("--fingerprint", "x").err()).contains("--fingerprint needs --key KEY");
        assertThat(run("--zone", "UTC").err()).contains("--zone needs --schedule CRON");
        assertThat(run("--catch-up", "3").err()).contains("--catch-up needs --schedule CRON");
        assertThat(new CliRunner().run("run", "job").code()).isEqualTo(64);
    }
}
