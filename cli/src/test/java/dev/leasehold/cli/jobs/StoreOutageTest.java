package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.output.Console;
import dev.leasehold.testkit.ManualTicker;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreOutageTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
    private final ManualTicker time = new ManualTicker();
    private final List<Boolean> changes = new ArrayList<>();
    private final StoreOutage outage =
            new StoreOutage(new Console(InputStream.nullInputStream(), stream, stream), time, changes::add);

    @Test
    void anOutageIsOneLineWhenItBeginsAndOneWhenItEnds() {
        outage.answered();
        for (int i = 0; i < 60; i++) {
            outage.failed("connection refused");
            outage.failed("the end of a@b could not be recorded: connection refused");
            time.advance(Duration.ofSeconds(1));
        }
        // Another job is still without an answer.
        outage.answered();
        assertThat(lines()).hasSize(1);
        time.advance(Duration.ofSeconds(5));
        outage.answered();
        outage.answered();

        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0)).contains("the store does not answer: connection refused");
        assertThat(lines().get(1)).contains("the store answers again", "59s", "120 calls failed");

        outage.failed("again");
        assertThat(lines()).hasSize(3);
        assertThat(changes).containsExactly(false, true, false);
    }

    private List<String> lines() {
        return said.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
