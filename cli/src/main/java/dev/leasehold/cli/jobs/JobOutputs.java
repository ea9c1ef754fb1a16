package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.LineSplitter;
import dev.leasehold.cli.output.PrintableBytes;
import dev.leasehold.jobs.JobRun;
import dev.leasehold.jobs.file.JobOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides where the output of jobs goes. */
final class JobOutputs {
    private static final byte NEWLINE = '\n';

    private final Console console;
    private final SlotLog log;

    JobOutputs(Console console, SlotLog log) {
        this.console = console;
        this.log = log;
    }

    /** Null if the commands of the job write to the output of this program themselves. */
    @Nullable
    Function<JobRun, RunOutput> of(JobOutput output) {
        return switch (output.kind()) {
            case PLAIN -> null;
            case PREFIXED -> this::shown;
            case FILES -> run -> inFile(run, output.directory());
        };
    }

    private RunOutput shown(JobRun run) {
        return new RunOutput(stream -> log.format() == SlotLog.Format.JSON ? json(run, stream) : prefixed(run, stream));
    }

    /** A log that cannot be written must not keep a job from running. */
    private RunOutput inFile(JobRun run, @Nullable Path directory) {
        try {
            if (directory != null) {
                OutputStream file = RunFiles.open(
                        directory, run, problem -> log.trouble(run.slot().job(), problem));
                return new RunOutput(stream -> file);
            }
        } catch (IOException e) {
            log.trouble(
                    run.slot().job(),
                    "no file can be made for its output, which is shown here: "
                            + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
        return shown(run);
    }

    private PrintStream streamFor(String name) {
        return name.equals("stderr") && log.format() != SlotLog.Format.JSON ? console.err() : console.out();
    }

    private LineSplitter prefixed(JobRun run, String stream) {
        byte[] prefix = (run.slot().job() + " | ").getBytes(StandardCharsets.US_ASCII);
        PrintStream to = streamFor(stream);
        PrintableBytes lines = new PrintableBytes();
        return new LineSplitter() {
            @Override
            protected void line(byte[] from, int start, int end) {
                lines.add(prefix, 0, prefix.length);
                lines.addVisibly(from, start, end);
                lines.add(NEWLINE);
            }

            @Override
            protected void wrote() {
                print(to, lines);
            }
        };
    }

    private LineSplitter json(JobRun run, String stream) {
        PrintStream to = streamFor(stream);
        PrintableBytes lines = new PrintableBytes();
        return new LineSplitter() {
            @Override
            protected void line(byte[] from, int start, int end) {
                byte[] line = new Json()
                        .put("at", Instant.now().truncatedTo(ChronoUnit.MILLIS))
                        .put("level", "output")
                        .put("event", "output")
                        .put("job", run.slot().job())
                        .put("slot", run.slot().at())
                        .put("attempt", run.attempt())
                        .put("stream", stream)
                        .put("line", new String(from, start, end - start, StandardCharsets.UTF_8))
                        .toString()
                        .getBytes(StandardCharsets.US_ASCII);
                lines.add(line, 0, line.length);
                lines.add(NEWLINE);
            }

            @Override
            protected void wrote() {
                print(to, lines);
            }
        };
    }

    /** Whole lines in one call, so that those of other jobs are not mixed with them. */
    private void print(PrintStream to, PrintableBytes lines) {
        if (lines.length() > 0) {
            to.write(lines.array(), 0, lines.length());
            to.flush();
            lines.clear();
        }
        log.reportIfLost(to);
    }
}
