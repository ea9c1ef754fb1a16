package dev.leasehold.jobs.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.leasehold.jobs.CatchUp;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.Overlap;
import dev.leasehold.model.LeaseName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid job files. */
class JobFileTest {
    private static final Path HOME = Path.of("/srv/jobs");

    private static final String FULL =
            """
        store: file:/shared/leases
        zone: Europe/Berlin
        parallel: 4
        stop-within: 1m
        keep-done: 7d
        keep-free: 30d
        jobs:
          daily-publish:
            schedule: "30 2 * * *"
            command: [./publish.sh, --all]
            directory: site
            environment: {LANG: C, DEPTH: 3}
            guard: [index.html, /abs/file]
            overlap: wait 10m
            catch-up: {latest: 3, within: 2h}
            retries: {max: 2, backoff: 30s, longest: 5m}
            jitter: 30s
            start-within: 10m
            timeout: 1h
            ttl: 5m
            progress-within: 2m
            progress-on: output
          cleanup:
            schedule: "@hourly"
            zone: UTC
            shell: rm -rf old && echo done
            overlap: fallback cleanup-2
        """;

    @TempDir
    Path temp;

    @Test
    void aJobWithAllFieldsIsRead() throws Exception {
        JobFile file = JobFile.parse("leasehold.yaml", HOME, FULL);
        List<Job> jobs = file.jobs(command -> run -> {});

        assertThat(file.store()).isEqualTo("file:/shared/leases");
        assertThat(file.parallel()).isEqualTo(4);
        assertThat(file.stopWithin()).isEqualTo(Duration.ofMinutes(1));
        assertThat(file.keepDone()).isEqualTo(Duration.ofDays(7));
        assertThat(file.keepFree()).isEqualTo(Duration.ofDays(30));
        Job publish = jobs.get(0);
        assertThat(publish.name()).isEqualTo(LeaseName.of("daily-publish"));
        assertThat(publish.schedule().zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(publish.overlap()).isEqualTo(new Overlap.Wait(Duration.ofMinutes(10)));
        assertThat(publish.catchUp()).isEqualTo(new CatchUp(3, Duration.ofHours(2)));
        assertThat(publish.retries().max()).isEqualTo(2);
        assertThat(publish.terms().ttl()).isEqualTo(Duration.ofMinutes(5));
        assertThat(publish.startWithin()).isEqualTo(Duration.ofMinutes(10));
        assertThat(jobs.get(1).overlap()).isEqualTo(new Overlap.Fallback(LeaseName.of("cleanup-2")));
    }

    @Test
    void aCommandIsRead() throws Exception {
        JobFile file = JobFile.parse("leasehold.yaml", HOME, FULL);

        JobCommand command = file.entries().get(0).command();
        assertThat(command.command()).containsExactly("./publish.sh", "--all");
        assertThat(command.directory()).isEqualTo(Path.of("/srv/jobs/site"));
        assertThat(command.environment()).isEqualTo(Map.of("LANG", "C", "DEPTH", "3"));
        assertThat(command.guards()).containsExactly("index.html", "/abs/file");
        assertThat(command.progressOnOutput()).isTrue();
        assertThat(file.entries().get(1).command().command())
                .containsExactly("/bin/sh", "-c", "rm -rf old && echo done");
    }

    /** The wrong line is the fourth of the file, the second of the job. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ttl: 5 minutes|jobs.a.ttl|such as 250ms, 90s, 15m",
                "tll: 5m|jobs.a.tll|did you mean ttl?",
                "overlap: maybe|jobs.a.overlap|skip, wait 10m, fallback NAME, buffer or supersede",
                "overlap: wait soon|jobs.a.overlap|such as",
                "catch-up: -1|jobs.a.catch-up|from 0 to 50",
                "catch-up: {lates: 3}|jobs.a.catch-up.lates|did you mean latest?",
                "retries: many|jobs.a.retries|from 0 to 100",
                "zone: Europe/Berln|jobs.a.zone|did you mean Europe/Berlin?",
                "command: ./publish.sh|jobs.a.command|[./publish.sh, --all]",
                "guard: index.html|jobs.a.guard|list of files",
                "environment: {LEASEHOLD_TOKEN: 1}|jobs.a.environment|not starting with LEASEHOLD_",
                "progress-on: output|jobs.a.progress-on|needs progress-within",
                "timeout: 0s|jobs.a.timeout|more than zero",
                "heartbeat: 80s|jobs.a.heartbeat|2 x heartbeat",
                "jitter: [1]|jobs.a.jitter|single value",
                "schedule: \"@daily\"|jobs.a.schedule|is given twice, first on line 3"
            })
    void aMistakeIsReportedWithFileLineAndField(String line, String field, String allowed) {
        assertThat(problems("jobs:\n  a:\n    schedule: \"@daily\"\n    " + line + "\n"))
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith("leasehold.yaml:4: " + field + ": ")
                        .contains(allowed));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"61 * * * *|minute|0-59", "* * * 13 *|month|JAN-DEC", "* * * *|4 fields|5 (minute"})
    void aWrongCronExpressionNamesItsField(String cron, String part, String allowed) {
        assertThat(problems("jobs:\n  a:\n    shell: x\n    schedule: \"" + cron + "\"\n"))
                .singleElement()
                .asString()
                .startsWith("leasehold.yaml:4: jobs.a.schedule: ")
                .contains(part, allowed);
    }

    @Test
    void aWrongZoneOfTheFileIsReportedOnceWithItsLine() {
        assertThat(problems("zone: Europe/Berln\njobs:\n  a: {schedule: \"@daily\", shell: y}\n"))
                .singleElement()
                .asString()
                .startsWith("leasehold.yaml:1: zone: ")
                .contains("did you mean Europe/Berlin?");
    }

    @Test
    void namesAreKeptForEverUnlessAsked() throws Exception {
        assertThat(JobFile.parse("leasehold.yaml", HOME, "jobs: {a: {schedule: \"@daily\", shell: y}}\n")
                        .keepFree())
                .isNull();
        assertThat(problems("keep-free: 0s\njobs: {a: {schedule: \"@daily\", shell: y}}\n"))
                .singleElement()
                .asString()
                .startsWith("leasehold.yaml:1: keep-free: ");
    }

    @Test
    void keepDoneMustBePositive() {
        assertThat(problems("keep-done: 0s\njobs: {a: {schedule: \"@daily\", shell: y}}\n"))
                .singleElement()
                .asString()
                .startsWith("leasehold.yaml:1: keep-done: ");
    }

    @Test
    void allMistakesAreReportedAtOnce() {
        assertThat(
                        problems(
                                """
                        zones: UTC
                        jobs:
                          a: {schedule: "x", shell: y}
                          b: {shell: y}
                          "c d": {schedule: "@daily", shell: y}
                        """))
                .hasSize(4)
                .satisfies(all -> {
                    assertThat(all.get(0))
                            .startsWith("leasehold.yaml:1: zones: ")
                            .contains("did you mean zone?");
                    assertThat(all.get(1)).startsWith("leasehold.yaml:3: jobs.a.schedule: ");
                    assertThat(all.get(2)).startsWith("leasehold.yaml:4: jobs.b.schedule: is missing");
                    assertThat(all.get(3))
                            .startsWith("leasehold.yaml:5: jobs.c d: ")
                            .contains("lease name");
                });
    }

    @Test
    void twoJobsOfOneNameAreAMistake() {
        assertThat(problems("jobs:\n  a: {schedule: '@daily', shell: x}\n  a: {schedule: '@hourly', shell: y}\n"))
                .singleElement()
                .asString()
                .isEqualTo("leasehold.yaml:3: jobs.a: is given twice, first on line 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "- a\n- b\n", "jobs:\n", "jobs: 5\n", "jobs: {a: [1\n", "a: b: c\n", "jobs: {a: 1}\n"})
    void aTextThatIsNotAJobFileIsRefused(String text) {
        assertThat(problems(text)).isNotEmpty().allSatisfy(problem -> assertThat(problem)
                .startsWith("leasehold.yaml"));
    }

    @Test
    void aSecondDocumentIsAMistakeOnItsLine() {
        String job = "jobs:\n  a: {schedule: '@daily', shell: x}\n";
        assertThat(problems(job + "---\n" + job))
                .singleElement()
                .asString()
                .startsWith("leasehold.yaml:3: a second YAML document starts here")
                .contains("put all jobs under one 'jobs:'");
    }

    @Test
    void aBinaryFileIsRefused() throws Exception {
        Path file = Files.write(temp.resolve("bad.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

        assertThatThrownBy(() -> JobFile.read(file))
                .isInstanceOf(JobFileException.class)
                .hasMessageContaining("UTF-8");
    }

    /** A recursive parser would end the whole program with a stack overflow. */
    @ParameterizedTest
    @ValueSource(ints = {51, 2_000, 200_000})
    void aFileThatIsNestedTooDeeplyIsAMistakeOnItsLine(int depth) {
        for (String open : List.of("[", "{a: ", "? ", "- ")) {
            assertThat(problems("zone: UTC\njobs:\n  " + open.repeat(depth) + "\n"))
                    .singleElement()
                    .asString()
                    .startsWith("leasehold.yaml:3: ")
                    .contains("nested more than 50 deep");
        }
    }

    @Test
    void aBlockThatIsNestedTooDeeplyIsAMistakeOnItsLine() {
        StringBuilder text = new StringBuilder("jobs:\n");
        for (int i = 1; i < 1_000; i++) {
            text.append(" ".repeat(i)).append("a:\n");
        }
        assertThat(problems(text.toString()))
                .singleElement()
                .asString()
                .startsWith("leasehold.yaml:51: ")
                .contains("nested more than 50 deep");
    }

    @Test
    void aliasesThatMultiplyAreAMistake() {
        StringBuilder text = new StringBuilder("jobs:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            text.append("  a").append(i).append(": &a").append(i).append(" [");
            text.append("*a".concat((i - 1) + ", ").repeat(10)).append("]\n");
        }
        assertThat(problems(text.toString()))
                .singleElement()
                .asString()
                .contains("leasehold.yaml:", "with aliases expanded");
    }

    @Test
    void anAliasInsideItselfIsAMistake() {
        assertThat(problems("jobs:\n  a:\n    schedule: '@daily'\n    command: &x [echo, *x]\n"))
                .singleElement()
                .asString()
                .startsWith("leasehold.yaml:4: ")
                .contains("*x", "contains it");
    }

    @Test
    void aliasesOfAFewSettingsAreFine() throws Exception {
        JobFile file = JobFile.parse(
                "leasehold.yaml",
                HOME,
                """
                jobs:
                  a: {schedule: '@daily', shell: x, environment: &common {LANG: C}}
                  b: {schedule: '@daily', shell: y, environment: *common}
                """);
        assertThat(file.entries().get(1).command().environment()).isEqualTo(Map.of("LANG", "C"));
    }

    @Test
    void tooManyJobsAreAMistake() {
        StringBuilder text = new StringBuilder("jobs:\n");
        for (int i = 0; i <= 10_000; i++) {
            text.append("  j").append(i).append(": {schedule: '@daily', shell: x}\n");
        }
        assertThat(problems(text.toString()))
                .singleElement()
                .asString()
                .startsWith("leasehold.yaml:1: jobs: ")
                .contains("10001", "at most 10000");
    }

    @Test
    void theNumberOfReportedProblemsIsLimited() {
        assertThat(problems("jobs: {a: {schedule: \"@daily\", shell: y}}\n" + "x: 1\n".repeat(200_000)))
                .hasSize(21)
                .last(STRING)
                .isEqualTo("leasehold.yaml: and 199980 more");
    }

    @Test
    void aFileThatIsTooLargeOrHasNoEndIsRefused() throws Exception {
        Path file = temp.resolve("large.yaml");
        Files.writeString(file, "#".repeat(3_000_001));

        assertThatThrownBy(() -> JobFile.read(file))
                .isInstanceOf(JobFileException.class)
                .hasMessageContaining("larger than 3000000 bytes");
        // It has no end.
        assertThatThrownBy(() -> JobFile.read(Path.of("/dev/zero")))
                .isInstanceOf(JobFileException.class)
                .hasMessageContaining("is not a regular file");
    }

    @Test
    void aDirectoryIsNotAJobFile() {
        assertThatThrownBy(() -> JobFile.read(temp))
                .isInstanceOf(JobFileException.class)
                .hasMessageContaining("is a directory");
    }

    private static List<String> problems(String text) {
        JobFileException failure =
                catchThrowableOfType(JobFileException.class, () -> JobFile.parse("leasehold.yaml", HOME, text));
        assertThat(failure).as("the file was accepted").isNotNull();
        return failure.problems();
    }
}
