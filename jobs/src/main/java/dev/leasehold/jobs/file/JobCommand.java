package dev.leasehold.jobs.file;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command of a job.
 *
 * @param job the name of the job, for messages
 * @param directory the working directory
 * @param environment variables added to its environment
 * @param guards the targets whose fences are raised before it starts, as written: files relative to
 *     the directory, or git remotes
 * @param timeout the longest run time; null for no limit
 * @param progressOnOutput whether anything it prints counts as progress
 * @param output what becomes of its output
 * @param onSuccess the command to run after a slot has run; empty for none
 * @param onFailure the command to run after a slot has failed for good; empty for none
 */
public record JobCommand(
        String job,
        List<String> command,
        Path directory,
        Map<String, String> environment,
        List<String> guards,
        @Nullable Duration timeout,
        boolean progressOnOutput,
        JobOutput output,
        List<String> onSuccess,
        List<String> onFailure) {}
