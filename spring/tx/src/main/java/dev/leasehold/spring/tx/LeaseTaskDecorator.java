package dev.leasehold.spring.tx;

import java.util.List;
import org.springframework.core.task.TaskDecorator;

/**
 * Takes the leases of a thread along to the thread that runs its task, so that the transactions of
 * the task are fenced too. A task that outlives the leased method goes on under a grant that nobody
 * renews: its transactions commit until somebody else gets the lease.
 */
public final class LeaseTaskDecorator implements TaskDecorator {
    @Override
    public Runnable decorate(Runnable task) {
        List<LeaseScope> scopes = LeaseScope.current();
        return scopes.isEmpty() ? task : () -> run(scopes, 0, task);
    }

    private static void run(List<LeaseScope> scopes, int from, Runnable task) {
        if (from == scopes.size()) {
            task.run();
            return;
        }
        try (LeaseScope here = scopes.get(from).reopen()) {
            run(scopes, from + 1, task);
        }
    }
}
