package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.OnlyFromClasses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Warnings about a store reach its user, and do not fill the mail of a crontab. */
@OnlyFromClasses("a store in the memory of one process")
class StoreWarningsTest {
    private static final String WARNING = "warning: H2";

    @TempDir
    Path directory;

    private CliRunner.Result run(String... arguments) throws Exception {
        return new CliRunner().env("XDG_STATE_HOME", directory.toString()).run(arguments);
    }

    @Test
    void warningIsGivenAtInitByDoctorAndOnceADay() throws Exception {
        String store = "h2:mem:warnings";
        assertThat(run("store", "init", store).err()).contains(WARNING);
        assertThat(run("store", "init", store).err()).contains(WARNING);
        assertThat(run("status", "--store", store).err()).contains(WARNING).contains("once a day");
        assertThat(run("status", "--store", store).err()).doesNotContain(WARNING);
        ageBy(Duration.ofHours(25));
        assertThat(run("status", "--store", store).err()).contains(WARNING);
    }

    private void ageBy(Duration age) throws Exception {
        try (Stream<Path> told = Files.list(directory.resolve("leasehold-warnings"))) {
            for (Path file : told.toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
            }
        }
    }

    @Test
    void passwordOnTheCommandLineIsWarnedAbout() throws Exception {
        String store = "h2:mem:password?user=sa&password=";
        run("store", "init", store);
        assertThat(run("status", "--store", store).err()).doesNotContain("--store");
        String secret = "h2:mem:secret?user=sa&password=s3cret-s3cret";
        run("store", "init", secret);
        assertThat(run("status", "--store", secret).err())
                .contains("can see the password in --store", "?password-file=")
                .doesNotContain("s3cret");
    }
}
