package dev.leasehold.git;

import dev.leasehold.fence.TargetUnavailableException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the user's git, in the directory where the user would run it.
 *
 * <p>Output goes to files and not to pipes, because a process that git leaves running, such as a
 * shared ssh connection, would keep a pipe open. Standard input is empty; git asks for passwords at
 * the terminal, if there is one. There is no timeout, because a large push may take long.
 * Interrupting the calling thread ends git.
 */
final class Git {
    /**
     * Variables that belong to one repository and must not leak into another: the list of {@code
     * git rev-parse --local-env-vars}.
     */
    private static final List<String> REPOSITORY_VARIABLES = List.of(
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_CONFIG",
            "GIT_CONFIG_PARAMETERS",
            "GIT_CONFIG_COUNT",
            "GIT_OBJECT_DIRECTORY",
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_IMPLICIT_WORK_TREE",
            "GIT_GRAFT_FILE",
            "GIT_INDEX_FILE",
            "GIT_NO_REPLACE_OBJECTS",
            "GIT_REPLACE_REF_BASE",
            "GIT_PREFIX",
            "GIT_SHALLOW_FILE",
            "GIT_COMMON_DIR",
            "GIT_INTERNAL_SUPER_PREFIX",
            "GIT_QUARANTINE_PATH");

    private final File directory;
    private final Map<String, String> environment;
    private final Path scratch;

    /**
     * @param directory the user's current directory
     * @param environment the user's environment
     * @param scratch a private directory for the output of git
     */
    Git(Path directory, Map<String, String> environment, Path scratch) {
        this.directory = directory.toFile();
        this.environment = environment;
        this.scratch = scratch;
    }

    /** The environment without variables that name a repository, so that the directory decides. */
    static Map<String, String> withoutRepository(Map<String, String> environment) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.keySet().removeAll(REPOSITORY_VARIABLES);
        return variables;
    }

    /** The exit code and output of a git command. */
    record Result(int code, String out, String err) {
        boolean ok() {
            return code == 0;
        }

        /** What git printed to standard error, without hints, in one line. */
        String message() {
            StringBuilder message = new StringBuilder();
            for (String line : err.split("\n", -1)) {
                String text = line.strip();
                if (!text.isEmpty() && !text.startsWith("hint:") && message.length() < 600) {
                    message.append(message.length() == 0 ? "" : "; ").append(text);
                }
            }
            return message.length() == 0 ? "git ended with code " + code : message.toString();
        }
    }

    /** Builds and runs one git command. */
    final class Command {
        private final List<String> line = new ArrayList<>();
        private final Map<String, String> variables;
        private int settings;

        private Command(List<String> words, Map<String, String> variables) {
            line.add("git");
            line.addAll(words);
            this.variables = variables;
            this.settings = count(variables.get("GIT_CONFIG_COUNT"));
        }

        Command add(String... words) {
            line.addAll(List.of(words));
            return this;
        }

        Command env(String variable, String value) {
            variables.put(variable, value);
            return this;
        }

        /**
         * Adds a setting for this command through the environment, which hides its value from
         * other users.
         */
        Command set(String key, String value) {
            variables.put("GIT_CONFIG_KEY_" + settings, key);
            variables.put("GIT_CONFIG_VALUE_" + settings, value);
            settings++;
            variables.put("GIT_CONFIG_COUNT", Integer.toString(settings));
            return this;
        }

        /** For commands whose output is parsed. */
        Command inEnglish() {
            return env("LC_ALL", "C");
        }

        Result run() {
            Path out = scratch.resolve("out");
            Path err = scratch.resolve("err");
            try {
                ProcessBuilder builder = new ProcessBuilder(line)
                        .directory(directory)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
                builder.environment().clear();
                builder.environment().putAll(variables);
                int code = waitFor(builder.start());
                return new Result(code, read(out), read(err));
            } catch (IOException e) {
                throw new TargetUnavailableException("git could not be run: " + e.getMessage(), e);
            }
        }
    }

    Path directory() {
        return directory.toPath();
    }

    @Nullable
    String variable(String name) {
        return environment.get(name);
    }

    /** A command in the user's repository. */
    Command here(String... words) {
        return new Command(List.of(words), new HashMap<>(environment));
    }

    /** A command in a private repository, shielded from the settings of the user's repository. */
    Command in(Path gitDirectory, String... words) {
        Map<String, String> variables = withoutRepository(environment);
        variables.put("GIT_DIR", gitDirectory.toString());
        return new Command(List.of(words), variables);
    }

    private static int waitFor(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new TargetUnavailableException("interrupted while git was running: what it has done is unknown", e);
        }
    }

    private static int count(@Nullable String text) {
        try {
            return text == null ? 0 : Math.max(0, Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
