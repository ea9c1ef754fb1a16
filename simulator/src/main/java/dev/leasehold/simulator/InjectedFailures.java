package dev.leasehold.simulator;

import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions and errors that a simulation throws on purpose. Their types distinguish them from
 * bugs of the engine.
 */
final class InjectedFailures {
    /** A strong reference, because the filter is lost when the logger is collected. */
    private static final Logger LOGGER = Logger.getLogger("dev.leasehold");

    private InjectedFailures() {}

    /**
     * Drops the log lines about injected failures: the engine logs each failure that it survives.
     */
    static void filterLogs() {
        LOGGER.setFilter(line -> !is(line.getThrown()));
    }

    /** With the message of the JVM. */
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

    /**
     * Compared by name: a mutated program has its own copies of the classes, and they all share one
     * log.
     */
    private static boolean is(@Nullable Throwable thrown) {
        String name = thrown == null ? "" : thrown.getClass().getName();
        return name.startsWith(InjectedFailures.class.getName()) || name.equals(Crashed.class.getName());
    }
}
