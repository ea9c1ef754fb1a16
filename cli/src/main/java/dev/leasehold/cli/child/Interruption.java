package dev.leasehold.cli.child;

import java.util.concurrent.CancellationException;

/**
 * Lets a long command end at a good place when it is interrupted, with a summary of what it did. A second signal ends it at
 * once.
 */
public final class Interruption implements AutoCloseable {
    private static final int BY_INT = 130;

    private final Signals handlers;
    private volatile boolean requested;

    /** @param onSignal called for the first signal */
    public Interruption(Runnable onSignal) {
        handlers = Signals.forward(signal -> {
            if (signal.equals("USR1")) {
                return;
            }
            if (requested) {
                Runtime.getRuntime().halt(BY_INT);
            }
            requested = true;
            onSignal.run();
        });
    }

    public boolean isRequested() {
        return requested;
    }

    /**
     * Called where the work may end.
     *
     * @throws Requested if the program is interrupted
     */
    public void check() {
        if (requested) {
            throw new Requested();
        }
    }

    /** The work ends because the program is interrupted, and for no other reason. */
    public static final class Requested extends CancellationException {
        private static final long serialVersionUID = 1;

        private Requested() {
            super("interrupted");
        }
    }

    @Override
    public void close() {
        handlers.close();
    }
}
