package dev.leasehold.cli.child;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * The signals a wrapper passes on. Those that were ignored when the JVM started stay ignored, so that {@code nohup}
 * means what it says.
 */
public final class Signals implements AutoCloseable {
    private static final List<String> PASSED_ON = List.of("HUP", "INT", "TERM", "USR1");

    private final Deque<Runnable> restore = new ArrayDeque<>();

    private Signals() {}

    /**
     * From now until closed, each of HUP, INT, TERM and USR1 is given to {@code onSignal} by its name without SIG,
     * instead of ending the JVM. Each call is on a thread of its own.
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
            return; // -Xrs leaves this signal to the system
        }
        if (before.equals(SignalHandler.SIG_IGN)) {
            Signal.handle(signal, SignalHandler.SIG_IGN);
        } else {
            restore.push(() -> Signal.handle(signal, before));
        }
    }

    /** Gives each signal back to whoever had it before. */
    @Override
    public void close() {
        while (!restore.isEmpty()) {
            restore.pop().run();
        }
    }
}
