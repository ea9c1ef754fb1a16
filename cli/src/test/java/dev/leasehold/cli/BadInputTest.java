package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistyped and malicious command lines. */
class BadInputTest {
    private static final String HUGE = "x".repeat(100_000);
    private static final List<String> NEVER_TEXT = List.of("", HUGE, "a\nb", "a\u0000b", "\u00fcber", "\u001b[2J");

    @TempDir
    Path directory;

    private CliRunner cli;
    private Path store;

    @BeforeEach
    void nameAStore() {
        store = directory.resolve("store");
        cli = CliRunner.withMissingStore(store);
    }

    static Stream<List<String>> commandLines() {
        Stream<List<String>> names = Stream.concat(
                        NEVER_TEXT.stream(), Stream.of("../x", "a/../../x", "..", "a b", "a%b", "postgresql://host/db"))
                .flatMap(bad -> Stream.of(
                        List.of("acquire", bad),
                        List.of("release", bad, "--token", "1"),
                        List.of("status", bad),
                        List.of("history", bad),
                        List.of("explain", bad),
                        List.of("cancel", bad, "--reason", "r"),
                        List.of("write", "FILE", "--name", bad, "--token", "1")));
        Stream<List<String>> durations = Stream.concat(
                        NEVER_TEXT.stream(),
                        Stream.of("../", "90", "1.5s", "-5s", "0s", "999ms", "1y", "9999999999999s", "5s "))
                .map(bad -> List.of("acquire", "job", "--ttl", bad));
        Stream<List<String>> waits = Stream.concat(NEVER_TEXT.stream(), Stream.of("../", "-1s", "soon"))
                .map(bad -> List.of("acquire", "job", "--wait", bad));
        Stream<List<String>> tokens = Stream.concat(
                        NEVER_TEXT.stream(),
                        Stream.of("../", "0", "-1", "1.0", "1e3", "9223372036854775808", " 1", "0x1"))
                .flatMap(bad -> Stream.of(
                        List.of("release", "job", "--token", bad),
                        List.of("check", "job", "--token", bad),
                        List.of("raise", "FILE", "--name", "job", "--token", bad)));
        Stream<List<String>> texts = NEVER_TEXT.stream()
                .flatMap(bad -> Stream.of(
                        List.of("acquire", "job", "--holder", bad),
                        List.of("progress", "job", "--token", "1", "--note", bad),
                        List.of("progress", "job", "--token", "1", "--checkpoint", bad),
                        List.of("takeover", "job", "--reason", bad)));
        Stream<List<String>> numbers = Stream.concat(NEVER_TEXT.stream(), Stream.of("-1", "0", "9223372036854775807"))
                .flatMap(bad -> Stream.of(
                        List.of("repair", "job", "--reason", "r", "--above", bad),
                        List.of("history", "job", "--limit", bad)));
        return Stream.of(names, durations, waits, tokens, texts, numbers, urls())
                .flatMap(lines -> lines);
    }

    private static Stream<List<String>> urls() {
        return Stream.concat(
                        NEVER_TEXT.stream(),
                        Stream.of(
                                "../x",
                                "file:",
                                "file://",
                                "file://host/x",
                                "file:../x",
                                "file:/tmp/../x",
                                "file:/tmp/a\nb",
                                "file:/tmp/a\u0000b",
                                "file:/tmp/a\u202eb",
                                "redis://\u00fc/0",
                                "postgresql://host:port/db",
                                "postgresql://host:99999/db",
                                "nosuch://host/x",
                                "://x"))
                .map(bad -> List.of("status", "--store", bad));
    }

    @ParameterizedTest
    @MethodSource("commandLines")
    void badInputIsAUsageErrorInOneLineAndChangesNothing(List<String> commandLine) throws IOException {
        String[] args = commandLine.stream()
                .map(word -> word.equals("FILE") ? directory.resolve("f").toString() : word)
                .toArray(String[]::new);
        Result result = cli.run(args);

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("leasehold: ").hasLineCount(1).matches("[\\x20-\\x7e]+\n");
        assertThat(result.err().length()).isLessThan(500);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    /** Without --store, the URL would be the name of a lease in the store of this user, and shown to everybody. */
    @Test
    void aUrlInPlaceOfANameIsNotRepeated() {
        Result result = cli.run("acquire", "postgresql://app:hunter2@host/db");
        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--store").doesNotContain("hunter2");
    }

    @Test
    void theUrlThatInitPrintsCanBeUsed() throws IOException {
        Path umlauts = Files.createDirectory(directory.resolve("Gr\u00fc\u00dfe dir"));
        Result made = cli.run("store", "init", "file:" + umlauts.resolve("leases"));
        assertThat(made.code()).as(made.err()).isZero();
        assertThat(cli.run("status", "--store", made.outLine()).err()).isEmpty();
    }

    @Test
    void namesCannotLeaveTheStoreDirectory() {
        cli.run("store", "init");
        cli.run("acquire", "a/b/c");
        cli.run("acquire", ".hidden");
        cli.run("acquire", "/etc/passwd");
        cli.run("acquire", "a..b");

        assertThat(directory).isDirectoryContaining(path -> path.equals(store));
        assertThat(directory.toFile().list()).containsExactly("store");
        assertThat(cli.run("status").out().lines()).hasSize(5);
    }

    @Test
    void passwordsAreNeverPrinted() {
        for (String url : List.of(
                "nosuch://me:hunter2@host/db",
                "nosuch://me:hunter2@host/db?password=hunter2",
                "hunter2://me:hunter2@host:x/")) {
            for (String debug : List.of("--quiet", "--debug")) {
                Result option = cli.run("status", debug, "--store", url);
                Result variable = new CliRunner().env("LEASEHOLD_STORE", url).run("status", debug);

                assertThat(option.code()).isEqualTo(ExitCode.USAGE);
                assertThat(option.out() + option.err() + variable.out() + variable.err())
                        .doesNotContain("hunter2");
            }
        }
        assertThat(cli.run("acquire", "redis://me:hunter2@host").err()).doesNotContain("hunter2");
        assertThat(cli.run("redis://me:hunter2@host").err()).doesNotContain("hunter2");
        assertThat(cli.run("status", "--stor", "redis://me:hunter2@host").err()).doesNotContain("hunter2");
    }

    @Test
    void anUnknownSchemeListsTheKnownOnes() {
        assertThat(cli.run("status", "--store", "nosuch://h").err()).contains("file", "memory");
    }

    @Test
    void aStoreUrlThatIsNearlyRightIsCorrected() {
        for (String url : List.of("file:$HOME/x", "sqlite:${HOME}/x.db", "$STORE")) {
            assertThat(new CliRunner().env("LEASEHOLD_STORE", url).run("status").err())
                    .contains("has a '$' that no shell replaced", "write the whole path");
        }
        for (String url : List.of("/srv/leases", "./leases", "~/leases", "/srv/a:b")) {
            assertThat(cli.run("status", "--store", url).err())
                    .contains("has no scheme: write file: before the path of a directory");
        }
        assertThat(cli.run("status", "--store", "leases").err()).contains("has no scheme");
    }

    @Test
    void targetsThatCannotBeWrittenAreReported() throws IOException {
        cli.run("store", "init");
        Path folder = Files.createDirectory(directory.resolve("folder"));
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        Path missing = directory.resolve("missing/file");
        for (Path bad : List.of(missing, folder, loop, Path.of("/"), Path.of("/dev/null"))) {
            // A directory can be raised: programs may write it in place.
            for (String command :
                    bad.equals(folder) ? List.of("write", "append") : List.of("write", "append", "raise")) {
                Result result = cli.stdin("x").run(command, bad.toString(), "--name", "job", "--token", "1");

                assertThat(result.code())
                        .as(command + " " + bad)
                        .isEqualTo(
                                command.equals("raise") && bad.equals(missing) ? ExitCode.USAGE : ExitCode.UNAVAILABLE);
                assertThat(result.err()).startsWith("leasehold: ").hasLineCount(1);
            }
        }
        assertThat(folder).isEmptyDirectory();
        assertThat(directory.toFile().list()).containsExactlyInAnyOrder("store", "folder", "loop");
        assertThat(cli.run("write", "", "--name", "job", "--token", "1").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("write", "a\u0000b", "--name", "job", "--token", "1").code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aStoreThatCannotBeUsedIsReported() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "not a store");
        Path foreign = Files.createDirectory(directory.resolve("foreign"));
        Files.writeString(foreign.resolve("notes.txt"), "mine");
        for (Path bad : List.of(file, file.resolve("below"), foreign)) {
            Result result = CliRunner.withMissingStore(bad).run("acquire", "job");

            assertThat(result.code()).as(bad.toString()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(result.out()).isEmpty();
            assertThat(result.err()).startsWith("leasehold: ").hasLineCount(1);
        }
        assertThat(CliRunner.withMissingStore(file.resolve("below"))
                        .run("acquire", "job")
                        .err())
                .contains("a part of the path " + file, "is not a directory");
        assertThat(file).hasContent("not a store");
        assertThat(foreign.toFile().list()).containsExactly("notes.txt");
    }

    /** Even root cannot create a directory in /proc, which only Linux has. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aStoreWhereNoDirectoryCanBeCreatedIsReported() {
        Path place = Path.of("/proc/leasehold-test");
        Result result = CliRunner.withMissingStore(place).run("store", "init");

        assertThat(result.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(result.err()).contains(place + " cannot be created").hasLineCount(1);
    }

    @Test
    void aDamagedRecordIsNamedAndNotOverwritten() throws IOException {
        cli.run("store", "init");
        Path marker = store.resolve("leasehold-store");
        Files.writeString(marker, "garbage");
        Result result = cli.run("acquire", "job");

        assertThat(result.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(result.err()).contains(marker.toString()).hasLineCount(1);
        assertThat(marker).hasContent("garbage");
    }
}
