package dev.leasehold.git;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Real repositories below one directory, independent of the git settings of this machine. */
public final class Repositories {
    private final Path root;
    private final Map<String, String> environment = new HashMap<>();

    /**
     * An empty directory for repositories, with a {@code home} in which only the user's name
     * is set.
     */
    public Repositories(Path root) {
        this.root = root;
        environment.put("PATH", System.getenv("PATH"));
        environment.put("HOME", root.resolve("home").toString());
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("GIT_TERMINAL_PROMPT", "0");
        // Fixed dates, so that the same content is always the same commit.
        environment.put("GIT_AUTHOR_DATE", "1700000000 +0000");
        environment.put("GIT_COMMITTER_DATE", "1700000000 +0000");
        write(root.resolve("home/.gitconfig"), "[user]\n\tname = U\n\temail = u@x\n[init]\n\tdefaultBranch = main\n");
    }

    public Map<String, String> environment() {
        return environment;
    }

    public Repositories env(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Creates a bare repository to push to. */
    public Path bare(String name) {
        git(root, "init", "--quiet", "--bare", name);
        return root.resolve(name);
    }

    /**
     * Creates a working repository with a first commit and {@code origin} pointing to
     * another repository.
     */
    public Path working(String name, Path origin) {
        git(root, "init", "--quiet", name);
        Path repository = root.resolve(name);
        git(repository, "remote", "add", "origin", origin.toString());
        commit(repository, "first");
        return repository;
    }

    /** Commits a change and returns its id. */
    public String commit(Path repository, String content) {
        write(repository.resolve("page"), content);
        git(repository, "add", "page");
        git(repository, "commit", "--quiet", "--allow-empty", "--message", "page");
        return git(repository, "rev-parse", "HEAD");
    }

    /** Fails if anything in a repository is damaged or missing. */
    public void requireSound(Path repository) {
        Outcome outcome = tryGit(repository, "fsck", "--strict", "--no-dangling");
        String complaints = outcome.out().replaceAll("(?m)^notice: .*\\R?", "");
        if (outcome.code() != 0 || !complaints.isBlank()) {
            throw new AssertionError(repository + ": " + outcome);
        }
    }

    /** The id that a ref points to; empty if it does not exist. */
    public String ref(Path repository, String ref) {
        return tryGit(repository, "rev-parse", "--quiet", "--verify", ref).out().strip();
    }

    public String git(Path where, String... words) {
        Outcome outcome = tryGit(where, words);
        if (outcome.code() != 0) {
            throw new AssertionError("git " + List.of(words) + ": " + outcome.code() + " " + outcome.out());
        }
        return outcome.out().strip();
    }

    /** The result of a command, with both outputs combined. */
    public record Outcome(int code, String out) {}

    public Outcome tryGit(Path where, String... words) {
        List<String> line = new ArrayList<>(List.of("git"));
        line.addAll(List.of(words));
        return run(where, line);
    }

    /** Runs a program in this environment. */
    public Outcome run(Path where, List<String> line) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(line).directory(where.toFile()).redirectErrorStream(true);
            builder.environment().clear();
            builder.environment().putAll(environment);
            builder.redirectInput(new File("/dev/null"));
            Process process = builder.start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running: " + line);
            }
            return new Outcome(process.exitValue(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Installs a hook. */
    public void hook(Path gitDirectory, String name, String script) {
        Path hook = gitDirectory.resolve("hooks").resolve(name);
        write(hook, "#!/bin/sh\n" + script);
        if (!hook.toFile().setExecutable(true)) {
            throw new AssertionError("cannot make " + hook + " executable");
        }
    }

    public static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
