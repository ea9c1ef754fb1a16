package dev.leasehold.jobs;

import dev.leasehold.model.Grant;

/**
 * The only way to a user's listener. Whatever it throws is logged and goes no further: it must not decide what becomes of a
 * slot, a lease or a worker.
 */
final class CarefulListener implements JobListener {
    private final JobListener users;

    CarefulListener(JobListener users) {
        this.users = users;
    }

    @Override
    public void started(Slot slot, Grant grant, int attempt) {
        tell(() -> users.started(slot, grant, attempt));
    }

    @Override
    public void ended(Job job, Outcome outcome) {
        tell(() -> users.ended(job, outcome));
    }

    @Override
    public void again(Slot slot, String why) {
        tell(() -> users.again(slot, why));
    }

    @Override
    public void replaced(Slot slot) {
        tell(() -> users.replaced(slot));
    }

    @Override
    public void trouble(Job job, String what) {
        tell(() -> users.trouble(job, what));
    }

    private static void tell(Runnable news) {
        try {
            news.run();
        } catch (Throwable e) {
            Logs.warn("a job listener failed", e);
        }
    }
}
