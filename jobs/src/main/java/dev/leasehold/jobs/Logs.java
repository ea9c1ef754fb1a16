package dev.leasehold.jobs;

/** Logs failures that cannot be reported to a listener, or that a listener caused. Never throws. */
final class Logs {
    private Logs() {}

    /** Without a stack trace, for a temporary shortage of threads or timers. */
    static void warn(String what) {
        try {
            System.getLogger("dev.leasehold").log(System.Logger.Level.WARNING, what);
        } catch (Throwable e) {
            // The log failed, or memory ran out. The caller still has leases to release.
        }
    }

    static void warn(String what, Throwable why) {
        try {
            System.getLogger("dev.leasehold").log(System.Logger.Level.WARNING, what, why);
        } catch (Throwable e) {
            // The log failed, or memory ran out. The caller still has leases to release.
        }
    }
}
