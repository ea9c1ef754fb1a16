package dev.leasehold.jobs;

/** For what went wrong where there is no listener to tell, or the listener is what went wrong. */
final class Logs {
    private Logs() {}

    /** Never throws: whoever is without memory or stack, or has a log that fails, still has leases to give back. */
    static void warn(String what, Throwable why) {
        try {
            System.getLogger("dev.leasehold").log(System.Logger.Level.WARNING, what, why);
        } catch (Throwable e) {
            // Nobody is left who could be told.
        }
    }
}
