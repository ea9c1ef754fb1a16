package dev.leasehold.simulator;

import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What a history throws on purpose. By their types these are told apart from what the engine throws by mistake. */
final class InjectedFailures {
    /** Held here, or the filter would go with it. */
    private static final Logger LOGGER = Logger.getLogger("dev.leasehold");

    private InjectedFailures() {}

    /** The engine logs what it survives. A million lines about what was thrown on purpose help nobody. */
    static void keepOutOfLogs() {
        LOGGER.setFilter(line -> !is(line.getThrown()));
    }

    /** As the virtual machine says it. */
    static final class NoThread extends OutOfMemoryError {
        private static final long serialVersionUID = 1;

        NoThread() {
            super("unable to create native thread");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure() {
            super("thrown on purpose", null, false, false);
        }
    }

    static final class Fatal extends Error {
        private static final long serialVersionUID = 1;

        Fatal() {
            super("thrown on purpose", null, false, false);
        }
    }

    /** By its name: a mutated program has classes of its own, and the log is one for all of them. */
    private static boolean is(@Nullable Throwable thrown) {
        String name = thrown == null ? "" : thrown.getClass().getName();
        return name.startsWith(InjectedFailures.class.getName()) || name.equals(Crashed.class.getName());
    }
}
