package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the launcher in a copy of the checkout, with the environment of cron and through a symbolic
 * link. It uses the local Maven repository, which the build that runs these tests has filled.
 */
class LauncherTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));
    private static final Set<String> NOT_COPIED = Set.of("target", ".git");

    @TempDir
    static Path temp;

    private static Path checkout;
    private static Path link;
    private static Path elsewhere;
    private static List<Run> firstUses;

    /** A finished process: its exit code and its output. */
    record Run(int exit, String out, String err) {
        long builds() {
            return err.lines()
                    .filter(line -> line.startsWith("leasehold: building"))
                    .count();
        }
    }

    @BeforeAll
    static void useACopyOfTheCheckoutTwiceAtOnce() throws Exception {
        // With a space in the path, which users have too.
        checkout = temp.resolve("a checkout");
        copyTree(ROOT, checkout);
        elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        link = Files.createSymbolicLink(elsewhere.resolve("lh"), Path.of("../a checkout/leasehold"));

        Process one = start("one", link, Map.of(), "--version");
        Process two = start("two", link, Map.of(), "--version");
        firstUses = List.of(finish("one", one), finish("two", two));
    }

    @Test
    void firstUsesAtTheSameTimeShareOneBuild() {
        assertThat(firstUses).allSatisfy(run -> {
            assertThat(run.exit()).as(run.err()).isZero();
            assertThat(run.out()).startsWith("leasehold ");
        });
        assertThat(firstUses.stream().mapToLong(Run::builds).sum()).isEqualTo(1);
    }

    @Test
    void nothingIsBuiltWhenNothingChanged() throws Exception {
        settle();

        Run again = run("again", link, "--version");

        assertThat(again.exit()).isZero();
        assertThat(again.err()).isEmpty();
    }

    /** One test for both, because a build takes long. */
    @Test
    void aFailedBuildLeavesTheLastOneAloneAndAChangedSourceIsBuiltOnce() throws Exception {
        settle();
        Path current = checkout.resolve("target/launch/current");
        String before = Files.readString(current);
        Path broken = anySource().resolveSibling("Broken.java");
        Files.writeString(broken, "class {");

        Run failed = run("failed", link, "--version");
        String after = Files.readString(current);
        Files.delete(broken);
        Files.setLastModifiedTime(anySource(), FileTime.from(Instant.EPOCH));
        Run changed = finish(
                "changed",
                start("changed", link, Map.of("LEASEHOLD_JAVA_OPTS", "-XshowSettings:properties"), "--version"));
        Run again = run("again", link, "--version");

        assertThat(failed.exit()).isEqualTo(69);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err()).contains("Broken.java", "leasehold: the build failed");
        assertThat(after).isEqualTo(before);
        assertThat(Path.of(before.lines().skip(1).findFirst().orElseThrow())).isDirectoryContaining("glob:**/lib");
        assertThat(changed.exit()).isZero();
        assertThat(changed.builds()).isEqualTo(1);
        assertThat(changed.err())
                .as("the program starts where the caller is")
                .contains("user.dir = " + elsewhere.toRealPath());
        assertThat(again.builds()).isZero();
    }

    /** The JVM opens files of its own, and the first one would get the number of the closed stream. */
    @Test
    void aClosedInputIsRefusedAndNotTakenForAFile() throws Exception {
        settle();
        Run run = run(
                "closed",
                Path.of("/bin/bash"),
                "-c",
                """
                unset LEASEHOLD_STORE
                export XDG_STATE_HOME=$PWD/closed-store
                ./lh acquire c && printf precious | ./lh write kept --name c --token 1 && : > log || exit 1
                ./lh write kept --name c --token 1 <&-; echo "write $?"
                ./lh append log --name c --token 1 <&-; echo "append $?"
                """);

        assertThat(run.out()).as(run.err()).contains("write 69", "append 69");
        assertThat(elsewhere.resolve("kept")).hasContent("precious");
        assertThat(elsewhere.resolve("log")).isEmptyFile();
    }

    @Test
    void theCommandOfARunFindsTheProgram() throws Exception {
        settle();
        assertThat(run("init", link, "store", "init", "file:path-store").exit()).isZero();
        Run run = run(
                "path",
                link,
                "run",
                "job",
                "--store",
                "file:" + elsewhere.resolve("path-store"),
                "--",
                "sh",
                "-c",
                "leasehold --version && echo \"$PATH\"");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("leasehold ").endsWith("\n/usr/bin:/bin:" + checkout.toRealPath() + "\n");
    }

    @Test
    void exitCodesAndArgumentsPassThrough() throws Exception {
        settle();

        assertThat(run("usage", link, "no such command").exit()).isEqualTo(64);
        String script = "./lh store init file:echo-store && "
                + "./lh run echo --store file:echo-store -- echo $'Gr\\303\\274\\303\\237e'";
        Run echo = run("echo", Path.of("/bin/bash"), "-c", script);
        assertThat(echo.out()).as(echo.err()).endsWith("\nGr\u00fc\u00dfe\n");
        assertThat(run("help", link, "install", "--help").out()).startsWith("Usage: leasehold install PREFIX");
        assertThat(run("help", link, "install", "-h").out()).startsWith("Usage: leasehold install PREFIX");
        Run json = run(
                "install-json", link, "install", "--json", temp.resolve("json").toString());
        assertThat(json.exit()).as(json.err()).isEqualTo(64);
        assertThat(json.out()).startsWith("{\"outcome\":\"usage\"");
    }

    /** A file store needs the short class path, and the page needs the libraries of the server. */
    @Test
    void thePageHasItsLibraries() throws Exception {
        settle();
        assertThat(run("init", link, "store", "init", "file:page-store").exit()).isZero();
        String store = "file:" + elsewhere.resolve("page-store");
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Run page = run("ui", link, "ui", "--store", store, "--port", Integer.toString(other.getLocalPort()));

            assertThat(page.exit()).as(page.err()).isEqualTo(69);
            assertThat(page.err()).contains("port " + other.getLocalPort());
        }
    }

    /** As docs/stores.md tells, from a checkout and from an installation. */
    @Test
    void aStoreOfOnesOwnIsPutOnTheClassPath() throws Exception {
        settle();
        Path prefix = temp.resolve("own prefix");
        Run install = run("own-install", link, "install", "--no-runtime", prefix.toString());
        assertThat(install.exit()).as(install.err()).isZero();
        Path installed = prefix.resolve("bin/leasehold").toRealPath();
        String document = Files.readString(ROOT.resolve("docs/stores.md"));
        Path jar = DocumentedStore.jar(
                document, installed.resolveSibling("lib"), Files.createDirectory(elsewhere.resolve("own")));
        String store = DocumentedStore.database(temp.resolve("own-leases"));

        Run missing = with(jar + "x", link, "--version");
        assertThat(missing.exit()).isEqualTo(69);
        assertThat(missing.err())
                .contains("LEASEHOLD_CLASSPATH: there is no " + jar + "x")
                .hasLineCount(1);
        Run unknown = run("unknown", link, "status", "--store", store);
        assertThat(unknown.err())
                .contains("unknown scheme", "LEASEHOLD_CLASSPATH")
                .hasLineCount(1);

        // The second path is relative, and the first entry is empty.
        Run init = with(jar.toString(), link, "store", "init", store);
        assertThat(init.exit()).as(init.err()).isZero();
        for (Path program : List.of(link, installed)) {
            Run doctor = with(":own/table-store.jar", program, "doctor", "--rounds", "20", "--store", store);
            assertThat(doctor.exit()).as(doctor.out() + doctor.err()).isZero();
            assertThat(doctor.out()).contains("grade: atomic");
            assertThat(doctor.err()).doesNotContain("[warning]", "WARNING");
            Run status = with(jar.toString(), program, "status", "--store", store);
            assertThat(status).as("no noise").isEqualTo(new Run(0, status.out(), ""));
            Run builtIn = with(jar.toString(), program, "--version");
            assertThat(builtIn).isEqualTo(new Run(0, builtIn.out(), ""));
        }
    }

    private static Run with(String classPath, Path program, String... arguments) throws Exception {
        return finish("own", start("own", program, Map.of("LEASEHOLD_CLASSPATH", classPath), arguments));
    }

    @Test
    void anInstalledCopyNeedsNoSources() throws Exception {
        settle();
        Path prefix = temp.resolve("a prefix");
        Path installed = prefix.resolve("bin/leasehold");

        Run install = run("install", link, "--quiet", "install", "--no-runtime", prefix.toString());
        Path first = installed.toRealPath();
        for (String file : List.of(
                "man/man1/leasehold-run.1.gz",
                "bash-completion/completions/leasehold",
                "zsh/site-functions/_leasehold",
                "fish/vendor_completions.d/leasehold.fish")) {
            assertThat(prefix.resolve("share").resolve(file)).isNotEmptyFile();
        }
        // docs/cloud-stores.md copies it from there.
        assertThat(first.resolveSibling("doc/durable-objects")).isDirectoryContaining("glob:**/worker.js");
        Run version = run("installed", installed, "version");
        Run simulate = run("installed-simulate", installed, "simulate");
        Run again = run("installed-install", installed, "install", prefix.toString());
        Run help = run("installed-help", installed, "install", "--help");
        Run upgrade = run("upgrade", link, "install", "--no-runtime", prefix.toString());
        Path second = installed.toRealPath();
        Run old = run("old", first, "--version");
        Run removal = run("remove", link, "--store", "file:any", "install", prefix.toString(), "--remove");

        assertThat(install.exit()).as(install.err()).isZero();
        assertThat(install.err()).as("it is quiet").isEmpty();
        assertThat(version).as("no noise").isEqualTo(new Run(0, version.out(), ""));
        assertThat(version.out()).startsWith("leasehold ");
        assertThat(simulate.exit()).isEqualTo(69);
        assertThat(simulate.err())
                .contains("which only a source checkout contains")
                .hasLineCount(1);
        assertThat(again.exit()).isEqualTo(69);
        assertThat(again.err()).contains("this is an installation already").hasLineCount(1);
        assertThat(help.out()).startsWith("Usage: leasehold install PREFIX");
        assertThat(upgrade.exit()).as(upgrade.err()).isZero();
        assertThat(second).isNotEqualTo(first);
        assertThat(old.exit()).as("a running program keeps its files").isZero();
        assertThat(removal.exit()).as(removal.err()).isZero();
        assertThat(prefix).isEmptyDirectory();
    }

    @Test
    void anInstallationReplacesNothingThatItDidNotMake() throws Exception {
        settle();
        Path file = Files.writeString(temp.resolve("file"), "");
        Path foreign = Files.createDirectories(temp.resolve("foreign/lib/leasehold"));
        Path mine = Files.createDirectories(temp.resolve("mine/bin")).resolve("leasehold");
        Files.writeString(mine, "precious");

        for (Path prefix : List.of(file, temp.resolve("foreign"), temp.resolve("mine"), Path.of("/proc/nothing"))) {
            Run run = run("refused", link, "install", prefix.toString());

            assertThat(run.exit()).as(run.err()).isEqualTo(69);
            assertThat(run.err())
                    .startsWith("leasehold: ")
                    .contains("nothing was")
                    .hasLineCount(1);
        }
        assertThat(run("no-prefix", link, "install").exit()).isEqualTo(64);
        assertThat(foreign).isEmptyDirectory();
        assertThat(mine).hasContent("precious");
    }

    @Test
    void theSimulatorIsBuiltWhenItIsFirstUsed() throws Exception {
        settle();

        Run first = run("simulate", link, "--quiet", "simulate", "--seeds", "2");
        Run again = run("simulate-again", link, "simulate", "--seeds", "2");
        Run program = run("program", link, "--version");

        assertThat(first.exit()).as(first.err()).isZero();
        assertThat(first.err()).contains("building the simulator");
        assertThat(again.exit()).as(again.err()).isZero();
        assertThat(again.builds()).isZero();
        assertThat(program.builds()).as("the program is not built again").isZero();
    }

    /** Builds what another test changed, so that each test sees only its own effect. */
    private static void settle() throws Exception {
        Run run = run("settle", link, "--version");
        assertThat(run.exit()).as(run.err()).isZero();
    }

    private static Path anySource() {
        return checkout.resolve("cli/src/main/java/dev/leasehold/cli/Main.java");
    }

    private static Run run(String name, Path program, String... arguments) throws Exception {
        return finish(name, start(name, program, Map.of(), arguments));
    }

    private static Process start(String name, Path program, Map<String, String> environment, String... arguments)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.toString());
        builder.command().addAll(List.of(arguments));
        builder.directory(elsewhere.toFile());
        builder.redirectOutput(temp.resolve(name + ".out").toFile());
        builder.redirectError(temp.resolve(name + ".err").toFile());
        Map<String, String> env = builder.environment();
        env.clear();
        env.put("PATH", "/usr/bin:/bin");
        env.put("HOME", System.getProperty("user.home"));
        // The tools of this build, which may not be in a usual place.
        env.put("JAVA_HOME", System.getProperty("java.home"));
        env.put("MAVEN_HOME", System.getProperty("leasehold.maven.home"));
        env.put("LEASEHOLD_MVN_ARGS", "-Dmaven.repo.local=" + System.getProperty("leasehold.maven.repository"));
        env.putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private static Run finish(String name, Process process) throws Exception {
        if (!process.waitFor(300, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("the launcher did not end within 300 s");
        }
        return new Run(
                process.exitValue(),
                Files.readString(temp.resolve(name + ".out")),
                Files.readString(temp.resolve(name + ".err")));
    }

    private static void copyTree(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (NOT_COPIED.contains(String.valueOf(directory.getFileName()))) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(directory).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
