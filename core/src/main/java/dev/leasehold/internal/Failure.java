package dev.leasehold.internal;

/** Logs failures of listeners, callbacks and stores that the engine must survive. */
public final class Failure {
    private Failure() {}

    /** Never throws, even if the logger fails. */
    @SuppressWarnings("CatchingUnchecked")
    public static void log(String what, Throwable failure) {
        try {
            System.getLogger("dev.leasehold").log(System.Logger.Level.WARNING, what, failure);
        } catch (RuntimeException | Error e) {
            // Nothing else can be done.
        }
    }

    /** The message of the failure, or its class if it has none. */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null || failure instanceof Error ? failure.toString() : message;
    }
}
