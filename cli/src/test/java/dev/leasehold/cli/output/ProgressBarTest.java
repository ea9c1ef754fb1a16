package dev.leasehold.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(shown, true, StandardCharsets.UTF_8);
    private final Console console = new Console(InputStream.nullInputStream(), stream, stream);
    private final AtomicLong nanos = new AtomicLong();

    private String shown() {
        return shown.toString(StandardCharsets.UTF_8);
    }

    @Test
    void elsewhereThanOnATerminalALineComesEveryTenSeconds() {
        try (ProgressBar bar = new ProgressBar(console, "histories", 1000, false, nanos::get)) {
            for (int i = 1; i <= 250; i++) {
                nanos.addAndGet(SECOND / 10);
                bar.accept(i);
            }
        }
        assertThat(shown().lines())
                .containsExactly(
                        "leasehold: 100 of 1000 histories, 10 %, 1m30s left",
                        "leasehold: 200 of 1000 histories, 20 %, 1m20s left");
    }

    @Test
    void onATerminalOneLineIsDrawnAtMostTenTimesASecondAndRemoved() {
        try (ProgressBar bar = new ProgressBar(console, "files copied", 10, true, nanos::get)) {
            for (int i = 1; i <= 1000; i++) {
                nanos.addAndGet(SECOND / 1000);
                bar.accept(i / 200);
            }
            console.say("a message");
            bar.accept(11);
        }
        assertThat(shown().split("\r", -1)).hasSizeBetween(11, 14);
        assertThat(shown())
                .contains(
                        "\r\u001b[K[############                  ] 4 of 10 files copied, 40 %, ",
                        "\r\u001b[Kleasehold: a message\n")
                .endsWith("\r\u001b[K");
        console.say("afterwards");
        assertThat(shown()).endsWith("\r\u001b[Kleasehold: afterwards\n");
    }

    @Test
    void withoutATotalTheSpeedIsShown() {
        try (ProgressBar bar = new ProgressBar(console, "leases read", 0, false, nanos::get)) {
            nanos.addAndGet(11 * SECOND);
            bar.accept(2200);
            nanos.addAndGet(11 * SECOND);
            bar.outOf(4400);
            bar.accept(3300);
            nanos.addAndGet(11 * SECOND);
            bar.accept(4401);
        }
        assertThat(shown().lines())
                .containsExactly(
                        "leasehold: 2200 leases read, 200 a second",
                        "leasehold: 3300 of 4400 leases read, 75 %, 8s left",
                        "leasehold: 4401 leases read, 133 a second");
    }

    @Test
    void workThatIsSoonDoneAndAQuietProgramShowNothing() {
        try (ProgressBar bar = new ProgressBar(console, "x", 0, false, nanos::get)) {
            bar.accept(5);
        }
        console.beQuiet();
        try (ProgressBar bar = new ProgressBar(console, "x", 0, true, nanos::get)) {
            nanos.addAndGet(SECOND);
            bar.accept(5);
        }
        assertThat(shown()).isEmpty();
    }
}
