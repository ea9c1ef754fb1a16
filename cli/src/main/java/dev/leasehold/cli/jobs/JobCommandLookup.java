package dev.leasehold.cli.jobs;

import dev.leasehold.cli.child.CommandLookup;
import dev.leasehold.cli.child.ProgramPath;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.jobs.file.JobCommand;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds commands and hooks of jobs that cannot be run on this machine. Without it, nobody would notice before the first slot,
 * and a hook is run when something has failed.
 */
final class JobCommandLookup {
    private final JobCommand job;
    private final @Nullable String path;
    private final List<String> problems = new ArrayList<>();

    private JobCommandLookup(JobCommand job, @Nullable String path) {
        this.job = job;
        this.path = path;
    }

    /** What is wrong with the command and the hooks of a job on this machine. */
    static List<String> problems(JobCommand job, Invocation invocation) {
        String path = job.environment().getOrDefault("PATH", ProgramPath.with(invocation.env("PATH")));
        JobCommandLookup lookup = new JobCommandLookup(job, path);
        if (!Files.isDirectory(job.directory())) {
            return List.of(
                    "jobs." + job.job() + ".directory: " + job.directory() + " is not a directory on this machine");
        }
        lookup.look("command", job.command());
        lookup.look("on-success", job.onSuccess());
        lookup.look("on-failure", job.onFailure());
        return lookup.problems;
    }

    private void look(String which, List<String> command) {
        if (command.isEmpty()) {
            return;
        }
        String name = command.get(0);
        // A name with a slash is relative to the directory in which the command starts.
        String place = name.indexOf('/') > 0
                ? job.directory()
                        .resolve(name.startsWith("./") ? name.substring(2) : name)
                        .toString()
                : name;
        CommandLookup.Result result = CommandLookup.resolve(place, path);
        if (!(result instanceof CommandLookup.Found)) {
            problems.add("jobs." + job.job() + "." + which + ": the command " + SafeText.quote(name)
                    + (result instanceof CommandLookup.NotExecutable file
                            ? " may not be executed: " + file.file()
                            : where(place)));
        }
    }

    private String where(String place) {
        return " was not found" + (place.indexOf('/') < 0 ? " on the PATH" : ": " + place);
    }
}
