package dev.leasehold.cli.github;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts of the release workflow, as a runner would start them. Programs that would take an
 * hour, or that publish, are replaced by ones that record their arguments.
 */
class ReleaseWorkflowTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));
    private static final String SMALL = "leasehold-9.8.7.tar.gz";
    private static final List<String> ARCHIVES = List.of(
            SMALL,
            "leasehold-9.8.7-linux-x64.tar.gz",
            "leasehold-9.8.7-linux-aarch64.tar.gz",
            "leasehold_9.8.7_amd64.deb",
            "leasehold_9.8.7_arm64.deb");

    @TempDir
    Path directory;

    private Map<String, Object> jobs;
    private Path checkout;
    private Path programs;

    @BeforeEach
    void readTheWorkflow() throws IOException {
        jobs = WorkflowStep.fields(
                WorkflowStep.read(ROOT.resolve(".github/workflows/release.yml")).get("jobs"));
        checkout = Files.createDirectory(directory.resolve("checkout"));
        programs = Files.createDirectory(directory.resolve("programs"));
    }

    @Test
    void theVersionOfTheTagReplacesThatOfEveryModule() throws Exception {
        List<Path> poms = copyPoms();
        String current = Files.readString(checkout.resolve("pom.xml")).split("</?version>")[1];

        assertThat(run(step("build", "Set the version of the tag")).code()).isZero();

        int changed = 0;
        for (Path pom : poms) {
            String before = Files.readString(ROOT.resolve(pom));
            String after = Files.readString(checkout.resolve(pom));
            assertThat(after)
                    .isEqualTo(before.replace("<version>" + current + "</version>", "<version>9.8.7</version>"));
            changed += after.equals(before) ? 0 : 1;
        }
        assertThat(changed).as("modules").isGreaterThan(30);
    }

    @Test
    void thePackagesAreTestedAsRootWithTheNewerJdkOnBothPlatforms() throws Exception {
        record("sudo");
        for (String variable : List.of("JAVA_HOME_25_X64", "JAVA_HOME_25_ARM64")) {
            WorkflowStep step = step("build", "Package, and test the packages").env(variable, "/jdk-25");

            assertThat(run(step).code()).isZero();
            assertThat(recorded("sudo"))
                    .contains("LEASEHOLD_JAVA_HOME=/jdk-25", "CI=true")
                    .endsWith("scripts/check-dist", "--deb");
        }
        assertThat(ROOT.resolve("scripts/check-dist")).isExecutable();
        assertThat(ROOT.resolve(".ci/run")).isExecutable();
    }

    /** Returns the directory of the archives. */
    private Path prepareRelease() throws Exception {
        Path dist = Files.createDirectory(checkout.resolve("dist"));
        for (String archive : ARCHIVES) {
            Files.writeString(dist.resolve(archive), "the bytes of " + archive);
        }
        Path homebrew = Files.createDirectories(checkout.resolve("packaging/homebrew"));
        for (String file : List.of("formula", "leasehold.rb")) {
            Path original = ROOT.resolve("packaging/homebrew").resolve(file);
            Files.copy(original, homebrew.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        record("gh");
        if (output("sh", "-c", "command -v ruby || true").isEmpty()) {
            record("ruby");
        }
        return dist;
    }

    @Test
    void aReleaseHasTheFormulaAndChecksumsOfAllFiles() throws Exception {
        Path dist = prepareRelease();
        for (WorkflowStep step : WorkflowStep.scripts(WorkflowStep.fields(jobs.get("release")))) {
            WorkflowStep.Ended ended = run(step);
            assertThat(ended.code()).as("%s: %s", step.name(), ended.out()).isZero();
        }

        List<String> uploaded = new ArrayList<>(ARCHIVES);
        uploaded.addAll(List.of("SHA256SUMS", "leasehold.rb"));
        uploaded.sort(null);
        List<String> arguments = recorded("gh");
        assertThat(arguments.subList(0, 8))
                .containsExactly(
                        "release",
                        "create",
                        "v9.8.7",
                        "--repo",
                        "leasehold/leasehold",
                        "--verify-tag",
                        "--draft",
                        "--");
        assertThat(arguments.subList(8, arguments.size())).containsExactlyInAnyOrderElementsOf(uploaded);
        assertThat(Files.readAllLines(dist.resolve("SHA256SUMS"))).hasSize(ARCHIVES.size() + 1);
        assertThat(output("sh", "-c", "cd \"$0\" && sha256sum --check --quiet SHA256SUMS", dist.toString()))
                .isEmpty();
        String checksum = output("sha256sum", dist.resolve(SMALL).toString()).substring(0, 64);
        assertThat(dist.resolve("leasehold.rb"))
                .content()
                .contains("/download/v9.8.7/" + SMALL + "\"\n  sha256 \"" + checksum + "\"\n")
                .doesNotContain("VERSION", "SHA256");
    }

    private WorkflowStep step(String job, String name) {
        return WorkflowStep.scripts(WorkflowStep.fields(jobs.get(job))).stream()
                .filter(step -> step.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private WorkflowStep.Ended run(WorkflowStep step) throws Exception {
        return step.env("GITHUB_REF_NAME", "v9.8.7")
                .env("GITHUB_REPOSITORY", "leasehold/leasehold")
                .env("PATH", programs + ":" + System.getenv("PATH"))
                .run(checkout, Map.of("github.token", "a-token"));
    }

    /** Puts a program on the PATH that writes down its arguments. */
    private void record(String program) throws IOException {
        Path script = Files.writeString(
                programs.resolve(program),
                "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + programs + "/" + program + ".args'\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    private List<String> recorded(String program) throws IOException {
        return Files.readAllLines(programs.resolve(program + ".args"));
    }

    /** Copies the POMs of the checkout, and returns their paths in it. */
    private List<Path> copyPoms() throws IOException {
        List<Path> poms = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path place, BasicFileAttributes attributes) {
                boolean sources = !Set.of("target", "src", ".git").contains(String.valueOf(place.getFileName()));
                return sources ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.endsWith("pom.xml")) {
                    Path pom = ROOT.relativize(file);
                    poms.add(pom);
                    Files.createDirectories(checkout.resolve(pom).getParent());
                    Files.copy(file, checkout.resolve(pom));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return poms;
    }

    private static String output(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return out;
    }
}
