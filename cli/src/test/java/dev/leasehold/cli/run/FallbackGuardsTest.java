package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each lease that a run may acquire has targets of its own. */
class FallbackGuardsTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private String leasehold;

    @BeforeEach
    void twoSites() throws IOException {
        cli = CliRunner.withStore(directory.resolve("store")).withDrivers().in(directory);
        leasehold = cli.script(directory).toString();
        for (String page : List.of("a.html", "b.html", "c.html")) {
            Files.writeString(directory.resolve(page), "old\n");
        }
    }

    private Result run(String script, String... options) {
        List<String> line = new ArrayList<>(List.of("run", "site-a"));
        line.addAll(List.of(options));
        line.addAll(List.of("--", "sh", "-c", script));
        return cli.process(line.toArray(String[]::new));
    }

    private Path fence(String page) {
        return directory.resolve("." + page + ".leasehold-fence");
    }

    private Result write(String page, String name) {
        return cli.stdin(name + "\n").process("write", page, "--name", name, "--token", "1");
    }

    @Test
    void aFallbackRaisesItsOwnTargetsAndNotThoseOfTheBusyName() {
        cli.run("acquire", "site-a");
        Result fallback = run(
                "echo $LEASEHOLD_NAME; echo new | " + leasehold + " write b.html",
                "--guard",
                "a.html",
                "--or",
                "site-b=b.html",
                "--or=site-b=c.html");

        assertThat(fallback.code()).as(fallback.err()).isZero();
        assertThat(fallback.out()).isEqualTo("site-b\n");
        assertThat(fence("a.html")).doesNotExist();
        assertThat(directory.resolve("b.html")).hasContent("new\n");
        assertThat(write("c.html", "site-a").err()).contains("guarded by lease site-b");
        assertThat(write("a.html", "site-a").code())
                .as("its owner is not locked out")
                .isZero();
    }

    @Test
    void aFallbackWithoutTargetsIsRefusedByThoseOfTheFirstName() {
        run("true", "--guard", "a.html");
        cli.run("acquire", "site-a");
        Result fallback = run("echo new | " + leasehold + " write a.html", "--guard", "a.html", "--or", "site-b");

        assertThat(fallback.code()).isEqualTo(ExitCode.USAGE);
        assertThat(fallback.err()).contains("site-b", "without the targets of site-a", "guarded by lease site-a");
        assertThat(directory.resolve("a.html")).hasContent("old\n");
    }

    @Test
    void aFallbackNeverBindsATargetOfTheFirstName() throws IOException {
        Files.createSymbolicLink(directory.resolve("link.html"), Path.of("a.html"));
        cli.run("acquire", "site-a");
        for (String command : List.of(
                "write a.html --no-check",
                "append ./a.html",
                "raise link.html",
                "exec-fenced a.html -- touch a.html")) {
            Result fallback = run("echo new | " + leasehold + " " + command, "--guard", "a.html", "--or", "site-b");

            assertThat(fallback.code()).as(command).isEqualTo(ExitCode.USAGE);
            assertThat(fallback.err()).contains("nothing was written", "guarded by lease site-a", "--or site-b=TARGET");
        }
        Result published =
                run("mkdir tree; " + leasehold + " publish tree site", "--guard", "file:site", "--or", "site-b=b.html");
        Result nested =
                run(leasehold + " run site-b --guard a.html -- true", "--guard", "a.html", "--or", "site-c=c.html");

        assertThat(published.code()).as(published.err()).isEqualTo(ExitCode.USAGE);
        assertThat(nested.code()).as(nested.err()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("explain", "site-b").out()).contains("target_refused");
        assertThat(fence("a.html")).doesNotExist();
        assertThat(fence("site")).doesNotExist();
        assertThat(directory.resolve("a.html")).hasContent("old\n");
        assertThat(write("a.html", "site-a").code()).isZero();
    }

    @Test
    void theFirstNameNeverBindsATargetOfItsFallback() {
        Result first = run("echo new | " + leasehold + " write b.html", "--guard", "a.html", "--or", "site-b=b.html");

        assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.USAGE);
        assertThat(first.err()).contains("guarded by lease site-b");
        assertThat(fence("b.html")).doesNotExist();
    }

    @Test
    void aRunInsideAFallbackUsesTheTargetsOfItsOwnName() {
        cli.run("acquire", "site-a");
        String inner = " run site-a --guard a.html -- sh -c 'echo new | " + leasehold + " write a.html'";
        Result nested =
                run(leasehold + " release site-a --token 1 && " + leasehold + inner, "--guard", "a.html", "--or", "b");

        assertThat(nested.code()).as(nested.err()).isZero();
        assertThat(directory.resolve("a.html")).hasContent("new\n");
    }

    @Test
    void theFirstNameRaisesOnlyItsOwnTargets() {
        Result first = run("true", "--guard", "a.html", "--or", "site-b=b.html");

        assertThat(first.code()).as(first.err()).isZero();
        assertThat(fence("a.html")).exists();
        assertThat(fence("b.html")).doesNotExist();
    }

    @Test
    void aTargetBelongsToOneLease() {
        Result both = run("true", "--guard", "a.html", "--or", "site-b=./a.html");

        assertThat(both.code()).isEqualTo(ExitCode.USAGE);
        assertThat(both.err()).contains("a.html", "site-a", "site-b").hasLineCount(1);
        assertThat(run("true", "--or", "site-b=").code()).isEqualTo(ExitCode.USAGE);
        assertThat(run("true", "--or", "=b.html").code()).isEqualTo(ExitCode.USAGE);
        assertThat(run("true", "--or", "site-b=no/such/page").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aScheduledFallbackRaisesItsOwnTargetsToo() {
        cli.run("acquire", "site-a");
        Result slot =
                run("echo $LEASEHOLD_NAME", "--schedule", "* * * * * *", "--guard", "a.html", "--or", "site-b=b.html");

        assertThat(slot.code()).as(slot.err()).isZero();
        assertThat(slot.out()).startsWith("site-b\n");
        assertThat(fence("a.html")).doesNotExist();
        assertThat(fence("b.html")).exists();
    }
}
