package dev.leasehold.cli.store;

import dev.leasehold.cli.child.Interruption;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.ProgressBar;
import dev.leasehold.doctor.ExaminationProgress;
import org.jspecify.annotations.Nullable;

/** Shows the steps of an examination, each with its rounds, and ends it when the program is interrupted. */
final class DoctorProgress implements ExaminationProgress, AutoCloseable {
    private final Console console;
    private final Interruption interruption;
    private @Nullable ProgressBar bar;

    DoctorProgress(Console console, Interruption interruption) {
        this.console = console;
        this.interruption = interruption;
    }

    @Override
    public void step(String what) {
        close();
        console.say(what);
        bar = new ProgressBar(console, "rounds", 0);
    }

    @Override
    public void rounds(int done, int total) {
        if (bar != null) {
            bar.outOf(total);
            bar.accept(done);
        }
    }

    @Override
    public boolean isStopped() {
        return interruption.isRequested();
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
