package dev.leasehold.internal;

/** What the engine does with a failure that it must survive: somebody's listener, callback or store threw it. */
public final class Failure {
    private Failure() {}

    /** Logs it; a logger that fails as well is no reason to stop. */
    @SuppressWarnings("CatchingUnchecked")
    public static void log(String what, Throwable failure) {
        try {
            System.getLogger("dev.leasehold").log(System.Logger.Level.WARNING, what, failure);
        } catch (RuntimeException | Error e) {
            // There is nobody left to tell.
        }
    }

    /** Its message, or its kind where it has none. */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null || failure instanceof Error ? failure.toString() : message;
    }
}
