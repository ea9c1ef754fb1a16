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
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Warnings about a store reach its user, and do not fill the mail of a crontab. */
class StoreWarningsTest {
    private static final String WARNING = "warning: H2";

    @RegisterExtension
    static final ServerStore REDIS = ServerStore.REDIS;

    @TempDir
    Path directory;

    private CliRunner.Result run(String... arguments) throws Exception {
        return new CliRunner().env("XDG_STATE_HOME", directory.toString()).run(arguments);
    }

    @Test
    @OnlyFromClasses("a store in the memory of one process")
    void warningIsGivenAtInitByDoctorAndOnceADay() throws Exception {
        String store = "h2:mem:warnings";
        assertThat(run("store", "init", store).err()).contains(WARNING);
        assertThat(run("store", "init", store).err()).contains(WARNING);
        assertThat(run("status", "--store", store).err()).contains(WARNING).contains("once a day");
        assertThat(run("status", "--store", store).err()).doesNotContain(WARNING);
        CliRunner.Result doctor = run("doctor", "--rounds", "20", "--store", store);
        assertThat(doctor.out()).contains("  warning  H2");
        assertThat(doctor.err()).as("once, among the findings").doesNotContain(WARNING);
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

    /** As Redis is without a configuration of its own. A finding is no fault, so the exit code stays. */
    @Test
    void doctorWarnsOfARedisThatForgets() throws Exception {
        String store = REDIS.url() + "?ns=warnings";
        String why = "Redis keeps no append-only file";
        assertThat(run("store", "init", store).err()).contains("warning: " + why);

        CliRunner.Result text = run("doctor", "--rounds", "20", "--store", store);
        CliRunner.Result json = run("doctor", "--rounds", "20", "--json", "--store", store);

        assertThat(text.code()).as(text.err()).isZero();
        assertThat(text.out())
                .containsOnlyOnce("  warning  " + why)
                .contains("Set 'appendonly yes' and 'appendfsync always'", "grade: atomic");
        assertThat(text.err()).doesNotContain(why);
        assertThat(json.code()).as(json.err()).isZero();
        assertThat(json.out()).contains("{\"kind\":\"warning\",\"text\":\"" + why);
    }

    @Test
    @OnlyFromClasses("a store in the memory of one process")
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
