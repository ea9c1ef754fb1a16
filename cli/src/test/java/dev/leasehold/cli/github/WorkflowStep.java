package dev.leasehold.cli.github;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A step of a workflow or an action that runs a script, started as a runner of GitHub starts it. */
final class WorkflowStep {
    private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{ *([^} ]+) *}}");

    private final Map<String, Object> step;
    private final Map<String, String> environment = new TreeMap<>();

    /** How a step ended. */
    record Ended(int code, String out) {}

    WorkflowStep(Map<String, Object> step) {
        this.step = step;
    }

    /** The fields of a YAML file. */
    static Map<String, Object> read(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    static Map<String, Object> parse(String yaml) {
        return fields(new Load(LoadSettings.builder().build()).loadFromString(yaml));
    }

    /** A map of YAML. */
    static Map<String, Object> fields(Object value) {
        Map<String, Object> fields = new TreeMap<>();
        ((Map<?, ?>) value).forEach((name, each) -> fields.put(String.valueOf(name), each));
        return fields;
    }

    /** The steps of {@code holder} that run a script, in their order. */
    static List<WorkflowStep> scripts(Map<String, Object> holder) {
        List<WorkflowStep> steps = new ArrayList<>();
        for (Object each : (List<?>) holder.get("steps")) {
            Map<String, Object> step = fields(each);
            if (step.containsKey("run")) {
                steps.add(new WorkflowStep(step));
            }
        }
        return steps;
    }

    String name() {
        return String.valueOf(step.getOrDefault("name", step.get("id")));
    }

    WorkflowStep env(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** {@code text} with the values of its expressions. Every expression must be known. */
    static String evaluate(String text, Map<String, String> values) {
        return EXPRESSION.matcher(text).replaceAll(found -> {
            assertThat(values).containsKey(found.group(1));
            return Matcher.quoteReplacement(values.get(found.group(1)));
        });
    }

    /** Runs the script in {@code directory}. Expressions in the script itself are not allowed: they are open to injection. */
    Ended run(Path directory, Map<String, String> expressions) throws Exception {
        String script = String.valueOf(step.get("run"));
        assertThat(script).doesNotContain("${{");
        Path file = Files.writeString(Files.createTempFile(directory, "step", ".sh"), script);
        List<String> shell = "bash".equals(step.get("shell"))
                ? List.of("bash", "--noprofile", "--norc", "-eo", "pipefail", file.toString())
                : List.of("bash", "-e", file.toString());
        ProcessBuilder builder = new ProcessBuilder(shell).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GITHUB_") || name.startsWith("LEASE"));
        builder.environment().putAll(environment);
        fields(step.getOrDefault("env", Map.of())).forEach((name, value) -> builder.environment()
                .put(name, evaluate(String.valueOf(value), expressions)));
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        try {
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), out);
        } finally {
            process.destroyForcibly();
            Files.delete(file);
        }
    }
}
