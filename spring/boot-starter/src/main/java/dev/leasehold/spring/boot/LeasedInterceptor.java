package dev.leasehold.spring.boot;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leases;
import dev.leasehold.RunOutcome;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spring.BusyHandler;
import dev.leasehold.spring.LeaseBusyException;
import dev.leasehold.spring.OnBusy;
import dev.leasehold.spring.tx.LeaseScope;
import java.time.Duration;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Acquires the lease, runs the method in its scope, and gives the lease back. */
final class LeasedInterceptor {
    private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

    private static final String STOPPING = "the application is shutting down";

    private final Leases leases;
    private final LeasedMethods methods;
    private final RunningCalls running;
    private final KeyedCalls keys;

    LeasedInterceptor(Leases leases, LeasedMethods methods, RunningCalls running, KeyedCalls keys) {
        this.leases = leases;
        this.methods = methods;
        this.running = running;
        this.keys = keys;
    }

    /** A call of a leased method. */
    record Call(LeasedMethod method, LeaseName name, MethodInvocation invocation) {
        @Nullable
        Object proceed(@Nullable Lease lease) throws Throwable {
            Class<?>[] types = method.method().getParameterTypes();
            @Nullable Object[] arguments = invocation.getArguments();
            for (int i = 0; i < types.length; i++) {
                if (types[i] == Lease.class && arguments[i] == null) {
                    arguments[i] = lease;
                }
            }
            return invocation.proceed();
        }
    }

    @Nullable
    Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
        LeasedMethod method = methods.of(invocation.getMethod(), ClassUtils.getUserClass(type));
        LeaseName name = method.name(target == null ? type : target, invocation.getArguments());
        Call call = new Call(method, name, invocation);
        Optional<LeaseScope> enclosing = LeaseScope.enclosing(name);
        return enclosing.isPresent() ? again(call, enclosing.get()) : acquire(call);
    }

    /** A call inside a call: the lease is held already, and stays held after this call. */
    private @Nullable Object again(Call call, LeaseScope held) throws Throwable {
        Lease lease = held.lease().orElse(null);
        if (lease == null) {
            return call.proceed(null);
        }
        try (LeaseScope scope = held.reopen()) {
            return keys.proceed(call, lease, scope);
        }
    }

    private @Nullable Object acquire(Call call) throws Throwable {
        if (running.isStopping()) {
            return refuse(call, STOPPING);
        }
        AcquireResult result = tryAcquire(call);
        if (result instanceof AcquireResult.Busy busy) {
            BusyHandler handler = call.method().busyHandler();
            return handler != null
                    ? handler.onBusy(
                            call.name(),
                            busy,
                            call.method().method(),
                            call.invocation().getArguments())
                    : refuse(
                            call,
                            busy.holder() + " has it, with token " + busy.token() + ", for at least another "
                                    + DurationText.show(busy.remaining()));
        }
        return hold(call, ((AcquireResult.Acquired) result).held());
    }

    private @Nullable Object hold(Call call, Lease lease) throws Throwable {
        RunningCalls.Entry entry = running.enter(lease);
        if (entry == null) {
            lease.close();
            return refuse(call, STOPPING);
        }
        boolean later = false;
        try {
            later = endAfterTransaction(lease, entry);
            return run(call, lease);
        } finally {
            if (!later) {
                end(lease, entry);
            }
        }
    }

    /** In this order: the shutdown waits for the entry, and closes the pool that the release needs. */
    private static void end(Lease lease, RunningCalls.Entry entry) {
        entry.ended();
        try {
            lease.close();
        } finally {
            entry.leave();
        }
    }

    private AcquireResult tryAcquire(Call call) {
        Duration wait = call.method().waitFor();
        if (call.method().onBusy() != OnBusy.WAIT || wait == null) {
            return leases.tryAcquire(call.name(), call.method().terms());
        }
        try {
            return leases.acquireWithin(call.name(), call.method().terms(), wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LeaseBusyException(call.name(), "interrupted while it waited");
        }
    }

    private static @Nullable Object refuse(Call call, String why) {
        if (call.method().onBusy() == OnBusy.SKIP) {
            LOG.log(System.Logger.Level.DEBUG, "lease " + call.name() + ": " + call.method() + " is skipped, " + why);
            return call.method().nothing();
        }
        throw new LeaseBusyException(call.name(), why);
    }

    /** The transaction of a caller commits after this method, and until then nobody else should begin. */
    private static boolean endAfterTransaction(Lease lease, RunningCalls.Entry entry) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()
                || !TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                end(lease, entry);
            }
        });
        return true;
    }

    private @Nullable Object run(Call call, Lease lease) throws Throwable {
        Object[] returned = new Object[1];
        RunOutcome<Boolean> outcome;
        try (LeaseScope scope = LeaseScope.open(lease)) {
            outcome = lease.run(held -> {
                try {
                    returned[0] = keys.proceed(call, held, scope);
                    return true;
                } catch (Exception | Error e) {
                    throw e;
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        if (outcome instanceof RunOutcome.Lost<Boolean> lost) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "lease " + lease.grant() + " was lost while " + call.method() + " ran: "
                            + lost.loss().explanation());
            if (lost.failure() != null) {
                throw withLoss(lost.failure(), lease);
            }
        }
        // What the method returned stands: its transactions committed only where a fence admitted them.
        return returned[0];
    }

    private static Exception withLoss(Exception failure, Lease lease) {
        try {
            lease.requireTrusted();
        } catch (LeaseLostException loss) {
            failure.addSuppressed(loss);
        }
        return failure;
    }
}
