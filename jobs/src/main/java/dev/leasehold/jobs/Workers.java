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
 * Who may occupy a worker of this machine, and how a task gets to one. Safe for use by many threads.
 *
 * <p>A permit always has one owner, who closes it in a {@code try}. Whoever hands it to another thread {@linkplain Permit#passOn
 * passes it on}: then closing the old handle does nothing, so no way out of a method gives a permit back twice or never.
 */
final class Workers {
    private final Executor executor;
    private final int parallel;
    private final Consumer<LeaseName> becameFree;
    private final Set<LeaseName> waiting = new LinkedHashSet<>();
    private int taken;

    /** @param becameFree called for each job that asked in vain, when it is worth asking again */
    Workers(Executor executor, int parallel, Consumer<LeaseName> becameFree) {
        this.executor = executor;
        this.parallel = parallel;
        this.becameFree = becameFree;
    }

    /** The right to occupy one worker. */
    final class Permit implements AutoCloseable {
        private boolean open = true;

        /** The same right in the hands of a new owner; this handle is void from here on. */
        Permit passOn() {
            synchronized (Workers.this) {
                if (!open) {
                    throw new IllegalStateException("this permit was passed on or given back before");
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

    /** Empty if all workers are occupied; the job is then told when one is free. */
    synchronized Optional<Permit> tryPermit(LeaseName job) {
        if (taken >= parallel) {
            waiting.add(job);
            return Optional.empty();
        }
        taken++;
        return Optional.of(new Permit());
    }

    /**
     * Hands a task to the executor. An executor may refuse, or find no thread: then {@code refused} is called instead, and the
     * task does not run, even if the executor kept it before it threw.
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
