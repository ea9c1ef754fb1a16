package dev.leasehold.cli;

import dev.leasehold.Leases;
import dev.leasehold.agents.AgentHook;
import dev.leasehold.cli.child.Dispositions;
import dev.leasehold.events.RunLog;
import dev.leasehold.git.GitFence;
import dev.leasehold.mcp.McpService;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.work.WorkLedger;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the program, inside this JVM or as a separate process. The environment contains only the
 * variables that are set here, so that the environment of the machine has no influence. With {@code
 * -Dleasehold.program=PATH}, every command is a process of that installed program.
 */
public final class CliRunner {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** An installed program to test in place of the classes of this build; null without one. */
    private static final String INSTALLED = System.getProperty("leasehold.program");

    private final Map<String, String> environment = new TreeMap<>();
    private final List<String> prefix = new ArrayList<>();
    private Path directory = Path.of("").toAbsolutePath();
    private byte[] stdin = new byte[0];
    private final List<String> properties = new ArrayList<>();

    /** A class of each module that the launcher gives to a command which uses a built-in store. */
    private static final List<Class<?>> PROGRAM = List.of(
            Main.class,
            Leases.class,
            WorkLedger.class,
            RunLog.class,
            GitFence.class,
            AgentHook.class,
            McpService.class);

    /** The program without drivers and schedules, as the launcher starts it for the built-in stores. */
    private String classPath = classPath(type -> placeOf(type).toString());

    /** The exit code and the output. */
    public record Result(int code, String out, String err) {
        /** The only line of stdout. */
        public String outLine() {
            return out.strip();
        }
    }

    /** Creates a store and names it in the environment. */
    public static CliRunner withStore(Path store) {
        FileLeaseStore.create(store).close();
        return withMissingStore(store);
    }

    /** Names a store that does not exist. */
    public static CliRunner withMissingStore(Path store) {
        return new CliRunner().env("LEASEHOLD_STORE", "file:" + store);
    }

    /** Another runner with the same environment. */
    CliRunner copy() {
        CliRunner copy = new CliRunner();
        copy.environment.putAll(environment);
        return copy;
    }

    public CliRunner env(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Gives a further option to the JVM of a process. */
    public CliRunner jvmOption(String option) {
        // The launcher takes the first before its own options, some of which undo it.
        return env(INSTALLED == null ? "JDK_JAVA_OPTIONS" : "LEASEHOLD_JAVA_OPTS", option);
    }

    public Map<String, String> environment() {
        return environment;
    }

    public CliRunner without(String variable) {
        environment.remove(variable);
        return this;
    }

    public CliRunner stdin(String text) {
        stdin = text.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    /** Gives a process the drivers of all stores, as the launcher does. */
    public CliRunner withDrivers() {
        classPath = System.getProperty("java.class.path");
        return this;
    }

    /** Gives a process the drivers of all stores and the classes in this directory. */
    public CliRunner withDriversAnd(Path classes) {
        withDrivers();
        classPath += File.pathSeparator + classes;
        return this;
    }

    /** The working directory of a process; commands inside this JVM use that of the JVM. */
    public CliRunner in(Path workingDirectory) {
        directory = workingDirectory;
        return this;
    }

    /** Starts the process through another program, such as {@code setpriv}. */
    public CliRunner through(String... command) {
        prefix.addAll(List.of(command));
        return this;
    }

    /** Runs {@code run job OPTIONS -- sh -c SCRIPT} as a process. */
    public Result runJob(String script, String... options) {
        List<String> args = new ArrayList<>(List.of("run", "job"));
        args.addAll(List.of(options));
        args.addAll(List.of("--", "sh", "-c", script));
        return process(args.toArray(String[]::new));
    }

    /** Tells a process which directory its launcher is in, as the launcher does. */
    public CliRunner launchedFrom(Path home) {
        properties.add("-Dleasehold.home=" + home);
        return this;
    }

    /** Runs a command to its end, inside this JVM where that is possible: a process takes long to start. */
    public Result run(String... args) {
        // No process can get an argument with this character.
        if (INSTALLED != null && !String.join("", args).contains("\0")) {
            return process(args);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.execute(args, environment, new ByteArrayInputStream(stdin), print(out), print(err));
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Runs a command whose standard output takes nothing, as that of a full disk. */
    public Result runOnAFullDisk(String... args) {
        if (INSTALLED != null) {
            return copy().stdin("")
                    .through("sh", "-c", "exec \"$@\" > /dev/full", "sh")
                    .process(args);
        }
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream full = new PrintStream(new FullDisk(), true, StandardCharsets.UTF_8);
        int code = Main.execute(args, environment, InputStream.nullInputStream(), full, print(err));
        return new Result(code, "", err.toString(StandardCharsets.UTF_8));
    }

    /** Runs a command as a separate process, to its end. */
    public Result process(String... args) {
        try {
            Process process = start(args);
            try {
                Reader out = new Reader(process.getInputStream());
                Reader err = new Reader(process.getErrorStream());
                feed(process);
                if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    throw new AssertionError(
                            "still running after " + PATIENCE + ": " + List.of(args) + " " + out.text() + err.text());
                }
                return new Result(process.exitValue(), out.text(), err.text());
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Starts a command as a separate process; the caller ends it. */
    public Process start(String... args) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(commandLine(args));
        builder.directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().putIfAbsent("PATH", System.getenv("PATH"));
        return builder.start();
    }

    /** The command line of the program, for scripts that start it themselves. */
    public List<String> commandLine(String... args) {
        List<String> command = new ArrayList<>(Dispositions.DEFAULT);
        command.addAll(prefix);
        if (INSTALLED != null) {
            command.add(INSTALLED);
            command.addAll(List.of(args));
            return command;
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-cp", classPath));
        command.addAll(properties);
        command.add(Main.class.getName());
        command.addAll(List.of(args));
        return command;
    }

    /** Writes a shell script into {@code directory} that starts the program. */
    public Path script(Path directory) throws IOException {
        StringBuilder text = new StringBuilder("#!/bin/sh\nexec");
        for (String word : commandLine()) {
            text.append(" '").append(word).append('\'');
        }
        Path script = Files.writeString(directory.resolve("leasehold"), text.append(" \"$@\"\n"));
        if (!script.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + script + " executable");
        }
        return script;
    }

    /** Uses a copy of the program's classes. */
    CliRunner from(Path copy) {
        classPath = classPath(type -> copy.resolve(type.getSimpleName()).toString());
        return this;
    }

    /** Copies the program's classes, for a user who may not read the original. */
    static void copyProgram(Path to) throws IOException {
        for (Class<?> type : PROGRAM) {
            copy(placeOf(type), to.resolve(type.getSimpleName()));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    private static String classPath(Function<Class<?>, String> place) {
        return PROGRAM.stream().map(place).collect(Collectors.joining(File.pathSeparator));
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError("the class path entry is not a path", e);
        }
    }

    private void feed(Process process) {
        try (OutputStream to = process.getOutputStream()) {
            to.write(stdin);
        } catch (IOException e) {
            // The program may end without reading all of its input.
        }
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** As {@code /dev/full}: it takes nothing. */
    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int octet) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    /** Reads a stream to its end on its own thread, so that the pipe does not fill up. */
    private static final class Reader {
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private final Thread thread;

        Reader(InputStream from) {
            thread = new Thread(() -> {
                try {
                    from.transferTo(read);
                } catch (IOException e) {
                    // The process was killed; keep what was read so far.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        String text() throws InterruptedException {
            thread.join(PATIENCE.toMillis());
            return read.toString(StandardCharsets.UTF_8);
        }
    }
}
