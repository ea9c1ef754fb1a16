package dev.leasehold.jobs.file;

import dev.leasehold.jobs.CatchUp;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.Overlap;
import dev.leasehold.jobs.Retries;
import dev.leasehold.jobs.Schedule;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one job of the file. */
final class JobReader {
    private static final List<String> KEYS = List.of(
            "schedule",
            "zone",
            "command",
            "shell",
            "directory",
            "environment",
            "guard",
            "overlap",
            "catch-up",
            "retries",
            "jitter",
            "start-within",
            "timeout",
            "ttl",
            "heartbeat",
            "grace",
            "min-hold",
            "progress-within",
            "progress-on",
            "output",
            "on-success",
            "on-failure");

    private static final Duration MIN_TTL = Duration.ofSeconds(1);
    private static final String LIST = "must be a list of words, such as [./publish.sh, --all]; a line for the shell is"
            + " written as 'shell: ...'";

    private static final String HOOK =
            "must be a list of words, such as [./tell-slack.sh] or [sh, -c, 'a line for the shell']";

    private final String name;
    private final YamlMap fields;
    private final ZoneId defaultZone;
    private final Path home;

    JobReader(String name, YamlMap fields, ZoneId defaultZone, Path home) {
        this.name = name;
        this.fields = fields;
        this.defaultZone = defaultZone;
        this.home = home;
    }

    /** Returns null if the job has mistakes, which are then among the problems. */
    JobFile.@Nullable Entry read() {
        fields.allow(KEYS);
        String cron = schedule();
        ZoneId zone = zone();
        LeaseTerms terms = terms();
        JobCommand command = command();
        Overlap overlap = fields.value("overlap", JobReader::overlap);
        CatchUp catchUp = catchUp();
        Retries retries = retries();
        Duration jitter = fields.duration("jitter", Duration.ZERO);
        Duration startWithin = fields.duration("start-within");
        if (!isNameAllowed() || cron == null || terms == null) {
            return null;
        }
        try {
            Job.Builder settings = Job.named(name)
                    .cron(cron)
                    .zone(zone)
                    .terms(terms)
                    .overlap(overlap == null ? Overlap.SKIP : overlap)
                    .catchUp(catchUp)
                    .retries(retries)
                    .jitter(jitter);
            if (startWithin != null) {
                settings.startWithin(startWithin);
            }
            // Built once here, so that contradictions between fields are reported with the line of
            // the job.
            settings.run(run -> {}).build();
            return new JobFile.Entry(settings, command);
        } catch (IllegalArgumentException e) {
            fields.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private boolean isNameAllowed() {
        try {
            LeaseName.of(name);
            return true;
        } catch (IllegalArgumentException e) {
            fields.problem(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private @Nullable String schedule() {
        if (!fields.has("schedule")) {
            fields.problem("schedule", "is missing: a cron expression such as \"30 2 * * *\", or @daily");
        }
        // A wrong zone is reported separately, so the expression is checked in UTC.
        return fields.value(
                "schedule", text -> Schedule.of(text, ZoneId.of("UTC")).cron());
    }

    private ZoneId zone() {
        ZoneId own = fields.value("zone", Schedule::zone);
        return own == null ? defaultZone : own;
    }

    private @Nullable LeaseTerms terms() {
        Duration ttl = fields.duration("ttl", LeaseTerms.DEFAULT_TTL);
        if (ttl.compareTo(MIN_TTL) < 0) {
            fields.problem("ttl", "must be at least " + DurationText.show(MIN_TTL));
            return null;
        }
        try {
            LeaseTerms defaults = LeaseTerms.ofTtl(ttl);
            return new LeaseTerms(
                    ttl,
                    fields.duration("heartbeat", defaults.heartbeat()),
                    fields.duration("grace", defaults.grace()),
                    fields.duration("min-hold", defaults.minHold()),
                    fields.duration("progress-within"));
        } catch (IllegalArgumentException e) {
            fields.problem(fields.has("ttl") ? "ttl" : "heartbeat", String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static Overlap overlap(String text) {
        String[] words = text.strip().split("\\s+", -1);
        if (words.length == 2 && words[0].equals("wait")) {
            return new Overlap.Wait(DurationText.parse(words[1]));
        }
        if (words.length == 2 && words[0].equals("fallback")) {
            return new Overlap.Fallback(LeaseName.of(words[1]));
        }
        return switch (text.strip()) {
            case "skip" -> Overlap.SKIP;
            case "buffer" -> new Overlap.Buffer();
            case "supersede" -> new Overlap.Supersede();
            default ->
                throw new IllegalArgumentException("'" + YamlMap.shown(text)
                        + "' is not known: write skip, wait 10m, fallback NAME, buffer or supersede");
        };
    }

    private CatchUp catchUp() {
        YamlMap map = fields.map("catch-up");
        if (map == null) {
            return CatchUp.latest(fields.number("catch-up", 0, CatchUp.MAX, 1));
        }
        map.allow(List.of("latest", "within"));
        Duration within = map.duration("within");
        if (within != null && within.isZero()) {
            map.problem("within", "must be more than zero");
            within = null;
        }
        return new CatchUp(map.number("latest", 0, CatchUp.MAX, 1), within);
    }

    private Retries retries() {
        YamlMap map = fields.map("retries");
        if (map == null) {
            return Retries.of(fields.number("retries", 0, Retries.LIMIT, 0), Retries.NONE.backoff());
        }
        map.allow(List.of("max", "backoff", "longest"));
        Retries simple =
                Retries.of(map.number("max", 0, Retries.LIMIT, 0), map.duration("backoff", Retries.NONE.backoff()));
        Duration longest = map.duration("longest", simple.longest());
        if (longest.compareTo(simple.backoff()) < 0) {
            map.problem("longest", "must not be shorter than the backoff of " + DurationText.show(simple.backoff()));
            return simple;
        }
        return new Retries(simple.max(), simple.backoff(), longest);
    }

    private static boolean isPath(String text) {
        try {
            return !Path.of(text).toString().isEmpty();
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private JobCommand command() {
        List<String> words = new ArrayList<>(fields.list("command", LIST));
        String line = fields.value("shell", text -> text);
        if (fields.has("command") == fields.has("shell")) {
            fields.problem("command", "a job needs either command, a list of words, or shell, a line for the shell");
        } else if (line != null && line.isBlank()) {
            fields.problem("shell", "must not be empty: write the line that the shell runs");
        } else if (line != null) {
            words.addAll(List.of("/bin/sh", "-c", line));
        }
        Path own = fields.value("directory", this::path);
        Path directory = own == null ? home : own;
        List<String> guards = fields.list("guard", "must be a list of files or git remotes");
        for (String each : guards) {
            if (!isPath(each)) {
                fields.problem("guard", "'" + YamlMap.shown(each) + "' is not a path");
            }
        }
        Duration timeout = fields.duration("timeout");
        if (timeout != null && timeout.isZero()) {
            fields.problem("timeout", "must be more than zero");
        }
        return new JobCommand(
                name,
                words,
                directory,
                environment(),
                guards,
                timeout,
                progressOnOutput(),
                output(),
                fields.list("on-success", HOOK),
                fields.list("on-failure", HOOK));
    }

    private Path path(String text) {
        try {
            return home.resolve(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + YamlMap.shown(text) + "' is not a path", e);
        }
    }

    private Map<String, String> environment() {
        Map<String, String> variables = fields.texts("environment");
        variables.keySet().forEach(key -> {
            if (!key.matches("[A-Za-z_][A-Za-z0-9_]*") || key.startsWith("LEASEHOLD_")) {
                fields.problem(
                        "environment",
                        "'" + YamlMap.shown(key)
                                + "' cannot be set: a name of letters, digits and _, not starting with LEASEHOLD_");
            }
        });
        return variables;
    }

    private JobOutput output() {
        JobOutput given = fields.value("output", text -> {
            String[] words = text.strip().split("\\s+", 2);
            if (words.length == 2 && words[0].equals("files")) {
                return JobOutput.files(path(words[1]));
            }
            return switch (text.strip()) {
                case "prefixed" -> JobOutput.PREFIXED;
                case "plain" -> JobOutput.PLAIN;
                default ->
                    throw new IllegalArgumentException(
                            "'" + YamlMap.shown(text) + "' is not known: write prefixed, plain or files DIRECTORY");
            };
        });
        return given == null ? JobOutput.PREFIXED : given;
    }

    private boolean progressOnOutput() {
        boolean on = fields.has("progress-on");
        String what = fields.value("progress-on", text -> text);
        if (what != null && !what.equals("output")) {
            fields.problem("progress-on", "knows only 'output'");
        } else if (on && !fields.has("progress-within")) {
            fields.problem("progress-on", "needs progress-within: how long the command may be silent");
        }
        return on;
    }
}
