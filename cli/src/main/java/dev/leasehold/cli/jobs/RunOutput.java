package dev.leasehold.cli.jobs;

import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.output.LineSplitter;
import dev.leasehold.cli.output.OutputTail;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Function;

/**
 * The output of one run: its lines go to the output of this program or into a file, and the last ones are kept for its
 * record. Nothing that happens to the output affects the run.
 */
final class RunOutput {
    private final OutputTail tail = new OutputTail();
    private final OutputStream out;
    private final OutputStream err;

    /** @param sinks where stdout and stderr go, by name; must not throw */
    RunOutput(Function<String, OutputStream> sinks) {
        this.out = sinks.apply("stdout");
        this.err = sinks.apply("stderr");
    }

    LeasedCommand.Output streams() {
        return new LeasedCommand.Output(new Tee(out), new Tee(err));
    }

    /** Ends the last lines and returns those for the record. A process that the command left behind may print more. */
    List<String> finish() {
        finish(out);
        finish(err);
        return tail.lines();
    }

    private static void finish(OutputStream sink) {
        try {
            if (sink instanceof LineSplitter lines) {
                lines.finish();
            } else {
                sink.close();
            }
        } catch (IOException e) {
            // What can be said was said when the write failed.
        }
    }

    private final class Tee extends OutputStream {
        private final OutputStream sink;

        Tee(OutputStream sink) {
            this.sink = sink;
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int count) throws IOException {
            tail.add(from, offset, count);
            sink.write(from, offset, count);
        }
    }
}
