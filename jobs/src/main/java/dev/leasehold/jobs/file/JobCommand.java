package dev.leasehold.jobs.file;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a job of the file runs.
 *
 * @param directory where it starts
 * @param environment what is added to its environment
 * @param guards what is raised before it starts, as it is written: files, seen from the directory, or git remotes
 * @param timeout how long it may take, or null
 * @param progressOnOutput whether anything it prints counts as progress
 */
public record JobCommand(
        List<String> command,
        Path directory,
        Map<String, String> environment,
        List<String> guards,
        @Nullable Duration timeout,
        boolean progressOnOutput) {}
