package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.output.Console;
import dev.leasehold.store.FileLeaseStore;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningSlotsTest {
    @TempDir
    Path directory;

    @Test
    void lateRenewalsOfAJobCauseOneWarning() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        RunningSlots running = new RunningSlots(new Console(InputStream.nullInputStream(), stream, stream));
        try (Leases leases = Leases.over(FileLeaseStore.create(directory.resolve("store")))
                        .build();
                Lease lease = leases.tryAcquire("job").lease().orElseThrow()) {
            running.renewed(lease, Duration.ofSeconds(30));
            running.renewed(lease, Duration.ofSeconds(80));
            running.renewed(lease, Duration.ofSeconds(80));
        }
        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("raise the ttl");
    }
}
