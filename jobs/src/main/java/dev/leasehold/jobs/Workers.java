package dev.leasehold.jobs;

import dev.leasehold.model.LeaseName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Limits how many workers of this machine are busy, and hands tasks to the executor. Safe for use
 * by many threads.
 *
 * <p>A permit always has one owner, which closes it in a {@code try}. To hand it to another thread,
 * {@linkplain Permit#passOn pass it on}: after that, closing the old handle does nothing, so every
 * path returns a permit exactly once.
 */
final class Workers {
    private final Executor executor;
    private final int parallel;
    private final Consumer<LeaseName> becameFree;
    private final Set<LeaseName> waiting = new LinkedHashSet<>();
    private int taken;

    /** @param becameFree called for each job that got no permit, when one is free */
    Workers(Executor executor, int parallel, Consumer<LeaseName> becameFree) {
        this.executor = executor;
        this.parallel = parallel;
        this.becameFree = becameFree;
    }

    /** The right to occupy one worker. */
    final class Permit implements AutoCloseable {
        private boolean open = true;

        /** Returns a new handle for the new owner. This handle is void from then on. */
        Permit passOn() {
            synchronized (Workers.this) {
                if (!open) {
                    throw new IllegalStateException("this permit was passed on or returned before");
                }
                open = false;
                return new Permit();
            }
        }

        @Override
        public void close() {
            List<LeaseName> asked;
            synchronized (Workers.this) {
                if (!open) {
                    return;
                }
                open = false;
                taken--;
                asked = List.copyOf(waiting);
                waiting.clear();
            }
            asked.forEach(becameFree);
        }
    }

    /**
     * Empty if all workers are busy; {@code becameFree} is then called for the job when one
     * is free.
     */
    synchronized Optional<Permit> tryPermit(LeaseName job) {
        if (taken >= parallel) {
            waiting.add(job);
            return Optional.empty();
        }
        taken++;
        return Optional.of(new Permit());
    }

    /**
     * Hands a task to the executor. If the executor refuses it or has no thread, {@code refused} is
     * called instead, and the task does not run, even if the executor kept it before it threw.
     */
    void execute(Runnable task, Consumer<Throwable> refused) {
        AtomicBoolean decided = new AtomicBoolean();
        try {
            executor.execute(() -> {
                if (decided.compareAndSet(false, true)) {
                    task.run();
                }
            });
        } catch (Throwable e) {
            if (decided.compareAndSet(false, true)) {
                refused.accept(e);
            }
        }
    }
}
