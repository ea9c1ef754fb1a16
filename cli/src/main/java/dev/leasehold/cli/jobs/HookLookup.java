package dev.leasehold.cli.jobs;

import dev.leasehold.cli.child.CommandLookup;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.jobs.file.JobCommand;
import java.util.ArrayList;
import java.util.List;

/** Finds hooks that cannot be run. Nobody would notice: a hook is run when something has failed. */
final class HookLookup {
    private HookLookup() {}

    /** What is wrong with the hooks of a job on this machine. */
    static List<String> problems(JobCommand job, Invocation invocation) {
        List<String> problems = new ArrayList<>();
        look(job, "on-success", job.onSuccess(), invocation, problems);
        look(job, "on-failure", job.onFailure(), invocation, problems);
        return problems;
    }

    private static void look(
            JobCommand job, String which, List<String> command, Invocation invocation, List<String> problems) {
        if (command.isEmpty()) {
            return;
        }
        String name = command.get(0);
        String path =
                job.environment().getOrDefault("PATH", invocation.environment().get("PATH"));
        // A name with a slash is relative to the directory in which the hook starts.
        String place = name.indexOf('/') > 0 ? job.directory().resolve(name).toString() : name;
        CommandLookup.Result result = CommandLookup.resolve(place, path);
        if (!(result instanceof CommandLookup.Found)) {
            problems.add("jobs." + job.job() + "." + which + ": the command " + SafeText.quote(name)
                    + (result instanceof CommandLookup.NotExecutable ? " may not be executed" : " was not found")
                    + (place.equals(name) ? "" : " in " + job.directory()));
        }
    }
}
