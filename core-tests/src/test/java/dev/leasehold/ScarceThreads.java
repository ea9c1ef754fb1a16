package dev.leasehold;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;

/**
 * Creates threads that cannot be started while the test forbids it, as under {@code ulimit -u} or
 * {@code pids.max}.
 */
final class ScarceThreads implements ThreadFactory {
    private final List<String> refused = new ArrayList<>();
    private final List<Thread> started = new ArrayList<>();
    private Predicate<String> scarce = name -> false;

    /** From now on, threads with a matching name cannot be started. */
    synchronized void refuse(Predicate<String> names) {
        scarce = names;
    }

    /** The names of the threads that could not be started so far. */
    synchronized List<String> refused() {
        return List.copyOf(refused);
    }

    synchronized List<Thread> alive() {
        return started.stream().filter(Thread::isAlive).toList();
    }

    @Override
    public Thread newThread(Runnable task) {
        return new Thread(task) {
            @Override
            public synchronized void start() {
                permit(this);
                super.start();
            }

            /** From JDK 21 on, a thread pool calls this, and then starts the thread without {@link #start}. */
            @Override
            public State getState() {
                State state = super.getState();
                if (state == State.NEW) {
                    permit(this);
                }
                return state;
            }
        };
    }

    private synchronized void permit(Thread thread) {
        if (scarce.test(thread.getName())) {
            refused.add(thread.getName());
            throw new OutOfMemoryError("unable to create native thread: possibly out of memory or process limits");
        }
        if (!started.contains(thread)) {
            started.add(thread);
        }
    }
}
