package dev.leasehold.jobs;

import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;

/**
 * Calls the user's listener and logs what it throws. An exception of the listener must not affect a
 * slot, a lease or a worker.
 */
final class CarefulListener implements JobListener {
    private final JobListener delegate;

    CarefulListener(JobListener delegate) {
        this.delegate = delegate;
    }

    @Override
    public void started(Slot slot, Grant grant, int attempt) {
        call(() -> delegate.started(slot, grant, attempt));
    }

    @Override
    public void ended(Job job, Outcome outcome) {
        call(() -> delegate.ended(job, outcome));
    }

    @Override
    public void again(Slot slot, EndedAttempt ended) {
        call(() -> delegate.again(slot, ended));
    }

    @Override
    public void replaced(Slot slot) {
        call(() -> delegate.replaced(slot));
    }

    @Override
    public void trouble(Job job, String what) {
        call(() -> delegate.trouble(job, what));
    }

    @Override
    public void unavailable(Job job, String what) {
        call(() -> delegate.unavailable(job, what));
    }

    @Override
    public void unavailable(String what) {
        call(() -> delegate.unavailable(what));
    }

    @Override
    public void answered() {
        call(delegate::answered);
    }

    /** An outage of the store concerns all jobs, and is told apart from what is wrong with one. */
    static void report(JobListener listener, Job job, String what, Throwable cause) {
        if (cause instanceof StoreUnavailableException) {
            listener.unavailable(job, what);
        } else {
            listener.trouble(job, what);
        }
    }

    private static void call(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            Logs.warn("a job listener failed", e);
        }
    }
}
