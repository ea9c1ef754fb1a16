package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.jobs.Jobs;
import dev.leasehold.model.DurationText;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;

/** The end of {@code leasehold up}: running jobs may finish, until their time is over or a second signal comes. */
final class UpStop {
    private final Console console;
    private final BlockingQueue<String> signals;

    UpStop(Console console, BlockingQueue<String> signals) {
        this.console = console;
        this.signals = signals;
    }

    void stop(Jobs jobs, Duration limit) throws InterruptedException {
        console.say("stopping; running jobs have " + DurationText.show(limit)
                + " to finish, a second signal ends them at once");
        Thread stopper = Thread.currentThread();
        Thread secondSignal = new Thread(() -> interruptOnSignal(stopper), "leasehold-second-signal");
        secondSignal.setDaemon(true);
        try {
            tryToStart(secondSignal);
            jobs.stop(limit);
        } catch (InterruptedException e) {
            jobs.stop(Duration.ZERO);
        } finally {
            secondSignal.interrupt();
        }
    }

    private void tryToStart(Thread secondSignal) {
        try {
            secondSignal.start();
        } catch (OutOfMemoryError noThread) {
            console.say("a second signal will be ignored: no thread can be started");
        }
    }

    /** HUP and USR1 have nothing to read again. */
    private void interruptOnSignal(Thread stopper) {
        try {
            String signal = signals.take();
            while (signal.equals("HUP") || signal.equals("USR1")) {
                signal = signals.take();
            }
            stopper.interrupt();
        } catch (InterruptedException e) {
            // All jobs have ended.
        }
    }
}
