package dev.leasehold.cli.child;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * The signals that the wrapper passes on to the command. A signal that was ignored when the JVM
 * started stays ignored, so that {@code nohup} works.
 */
public final class Signals implements AutoCloseable {
    private static final List<String> PASSED_ON = List.of("HUP", "INT", "TERM", "USR1");

    private final Deque<Runnable> restore = new ArrayDeque<>();

    private Signals() {}

    /**
     * Until it is closed, calls {@code onSignal} for each HUP, INT, TERM and USR1, with the name
     * without SIG, instead of ending the JVM. Each call is on a new thread.
     */
    public static Signals forward(Consumer<String> onSignal) {
        var signals = new Signals();
        for (String name : PASSED_ON) {
            signals.install(new Signal(name), onSignal);
        }
        return signals;
    }

    private void install(Signal signal, Consumer<String> onSignal) {
        SignalHandler before;
        try {
            before = Signal.handle(signal, received -> onSignal.accept(received.getName()));
        } catch (IllegalArgumentException reserved) {
            return; // With -Xrs the JVM does not handle this signal.
        }
        if (before.equals(SignalHandler.SIG_IGN)) {
            Signal.handle(signal, SignalHandler.SIG_IGN);
        } else {
            restore.push(() -> Signal.handle(signal, before));
        }
    }

    /** Restores the previous handlers. */
    @Override
    public void close() {
        while (!restore.isEmpty()) {
            restore.pop().run();
        }
    }
}
