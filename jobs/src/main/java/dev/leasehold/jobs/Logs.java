package dev.leasehold.jobs;

/** For what went wrong where there is no listener to tell, or the listener is what went wrong. */
final class Logs {
    private Logs() {}

    /** For a shortage that passes and whose place in the code tells nobody anything: without a stack trace. */
    static void warn(String what) {
        try {
            System.getLogger("dev.leasehold").log(System.Logger.Level.WARNING, what);
        } catch (Throwable e) {
            // Nobody is left who could be told.
        }
    }

    /** Never throws: whoever is without memory or stack, or has a log that fails, still has leases to give back. */
    static void warn(String what, Throwable why) {
        try {
            System.getLogger("dev.leasehold").log(System.Logger.Level.WARNING, what, why);
        } catch (Throwable e) {
            // Nobody is left who could be told.
        }
    }
}
