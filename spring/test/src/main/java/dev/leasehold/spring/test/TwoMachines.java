package dev.leasehold.spring.test;

import dev.leasehold.Leases;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spring.tx.StaleLeaseException;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Runs a leased method twice, as if on two machines. The first one freezes; its lease goes to the
 * second one, which runs the method to its end; then the first one goes on. A test gets this object
 * as a parameter:
 *
 * <pre>
 * &#64;SpringBootTest
 * &#64;ExtendWith(TwoMachinesExtension.class)
 * class ReportTest {
 *     &#64;Autowired Reports reports;
 *
 *     &#64;Test
 *     void staleReportIsRolledBack(TwoMachines machines) {
 *         machines.run(Freeze.BEFORE_TRANSACTION, reports::report).assertRefused();
 *     }
 * }
 * </pre>
 */
public final class TwoMachines {
    private static final long LIMIT_SECONDS = 30;

    private final Leases leases;
    private final Collection<ConfigurableTransactionManager> managers;
    private final FreezingPoint point;

    TwoMachines(Leases leases, Collection<ConfigurableTransactionManager> managers, FreezingPoint point) {
        this.leases = leases;
        this.managers = managers;
        this.point = point;
    }

    /**
     * How the method ended on both machines.
     *
     * @param frozen what it threw on the machine that was frozen, null if it returned
     */
    public record Outcome(@Nullable Throwable frozen) {
        /** @throws AssertionError if the machine that was frozen was not refused */
        public StaleLeaseException assertRefused() {
            if (frozen instanceof StaleLeaseException stale) {
                return stale;
            }
            throw new AssertionError(
                    frozen == null
                            ? "the method returned on the machine that was frozen: what it wrote is not fenced. Is it"
                                    + " @Transactional, and leasehold.fencing enabled?"
                            : "the method failed on the machine that was frozen, but not because its lease is stale",
                    frozen);
        }
    }

    /** @throws AssertionError if the method does not reach the point, or fails on the second machine */
    public Outcome run(Freeze where, Runnable method) {
        ExecutorService machines = Executors.newFixedThreadPool(2);
        try (FreezingPoint.Armed armed = point.arm(where, managers)) {
            Future<?> frozen = machines.submit(() -> {
                armed.isFirstMachine();
                method.run();
            });
            Grant grant = armed.awaitFrozen(frozen, LIMIT_SECONDS);
            endLease(grant);
            Future<?> second = machines.submit(method);
            Throwable failure = outcome(
                    second,
                    "the method did not end on the second machine. With"
                            + " Freeze.BEFORE_COMMIT it waits for rows that the first one has locked: use"
                            + " Freeze.BEFORE_TRANSACTION");
            if (failure != null) {
                throw new AssertionError("the method failed on the second machine", failure);
            }
            armed.goOn();
            return new Outcome(outcome(frozen, "the method did not end on the machine that was frozen"));
        } finally {
            machines.shutdownNow();
        }
    }

    /** As if its ttl had passed: the name is free, and nobody tells the holder. */
    private void endLease(Grant grant) {
        leases.store()
                .intervene(Intervention.cancel(
                        grant.name(),
                        AttemptId.of(leases.context().ids().unique()),
                        Holder.of("two-machines"),
                        Note.of("the first machine is frozen")));
    }

    private static @Nullable Throwable outcome(Future<?> method, String late) {
        try {
            method.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError(late + " (after " + LIMIT_SECONDS + " s)", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
    }
}
