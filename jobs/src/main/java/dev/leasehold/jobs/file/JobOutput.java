package dev.leasehold.jobs.file;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the output of a job's command.
 *
 * @param directory where the files are, one for each run; null for the other kinds
 */
public record JobOutput(Kind kind, @Nullable Path directory) {
    public static final JobOutput PREFIXED = new JobOutput(Kind.PREFIXED, null);
    public static final JobOutput PLAIN = new JobOutput(Kind.PLAIN, null);

    /** How the output is shown or kept. */
    public enum Kind {
        /** Line by line on the output of the program, each line with the name of the job. */
        PREFIXED,
        /** The command writes to the output of the program itself. Nothing of it is kept. */
        PLAIN,
        /** Byte for byte in a file for each run. */
        FILES
    }

    static JobOutput files(Path directory) {
        return new JobOutput(Kind.FILES, directory);
    }
}
