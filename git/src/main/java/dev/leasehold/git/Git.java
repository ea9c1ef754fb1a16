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
 * Runs the user's own git, where the user would run it.
 *
 * <p>Output goes to files, not to pipes: what git leaves running (a connection that ssh keeps for the next time) would hold a
 * pipe open for as long as it lives. Nothing is read from stdin; passwords are asked for at the terminal, if there is one.
 * How long git takes is git's business: a large push takes its time. Whoever interrupts this thread ends git too.
 */
final class Git {
    /**
     * What speaks of one repository and must not leak into another.
     * The list is that of {@code git rev-parse --local-env-vars}.
     */
    private static final List<String> OF_ONE_REPOSITORY = List.of(
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
     * @param directory where the user is
     * @param environment the user's
     * @param scratch a directory of our own for what git says
     */
    Git(Path directory, Map<String, String> environment, Path scratch) {
        this.directory = directory.toFile();
        this.environment = environment;
        this.scratch = scratch;
    }

    /** An environment that names no repository, so that the directory decides. */
    static Map<String, String> withoutRepository(Map<String, String> environment) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.keySet().removeAll(OF_ONE_REPOSITORY);
        return variables;
    }

    /** What git answered. */
    record Answer(int code, String out, String err) {
        boolean ok() {
            return code == 0;
        }

        /** The last things it said, in one line. */
        String words() {
            StringBuilder words = new StringBuilder();
            for (String line : err.split("\n", -1)) {
                String said = line.strip();
                if (!said.isEmpty() && !said.startsWith("hint:") && words.length() < 600) {
                    words.append(words.length() == 0 ? "" : "; ").append(said);
                }
            }
            return words.length() == 0 ? "git ended with code " + code : words.toString();
        }
    }

    /** A command of git in the making. */
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

        /** A setting for this command, in the environment: there nobody else sees its value, and any name is possible. */
        Command set(String key, String value) {
            variables.put("GIT_CONFIG_KEY_" + settings, key);
            variables.put("GIT_CONFIG_VALUE_" + settings, value);
            settings++;
            variables.put("GIT_CONFIG_COUNT", Integer.toString(settings));
            return this;
        }

        /** What git says is read by us, so it has to be in the language that we read. */
        Command inEnglish() {
            return env("LC_ALL", "C");
        }

        Answer run() {
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
                return new Answer(code, read(out), read(err));
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

    /** A command in the repository where the user is. */
    Command here(String... words) {
        return new Command(List.of(words), new HashMap<>(environment));
    }

    /** A command in a repository of ours, which nothing of the user's repository reaches. */
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
            throw new TargetUnavailableException(
                    "interrupted while git was at work: what it has done by now is not known", e);
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
