package dev.leasehold.spring.boot;

import dev.leasehold.Lease;
import dev.leasehold.jdbc.JdbcWork;
import dev.leasehold.model.Note;
import dev.leasehold.spring.LeaseBusyException;
import dev.leasehold.spring.OnBusy;
import dev.leasehold.spring.tx.LeaseScope;
import dev.leasehold.spring.tx.StaleLeaseException;
import dev.leasehold.spring.tx.TransactionStep;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkStep;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Claims the key of a call, and completes it: in the method's own transaction if that is possible. */
final class KeyedCalls {
    private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

    private final WorkLedger ledger;
    private final @Nullable DataSource source;
    private final @Nullable JdbcWork work;

    /**
     * @param source the database of the leases, null if they are elsewhere
     * @param work completes keys in transactions of that database
     */
    KeyedCalls(WorkLedger ledger, @Nullable DataSource source, @Nullable JdbcWork work) {
        this.ledger = ledger;
        this.source = source;
        this.work = work;
    }

    @Nullable
    Object proceed(LeasedInterceptor.Call call, Lease lease, LeaseScope scope) throws Throwable {
        MethodText key = call.method().key();
        if (key == null) {
            return call.proceed(lease);
        }
        Object target = call.invocation().getThis();
        String text = key.evaluate(
                target == null ? call : target,
                call.method().method(),
                call.invocation().getArguments());
        Claim claim = ledger.claim(lease.grant(), new WorkId(call.name(), WorkKey.of(text)), null);
        if (claim instanceof Claim.Claimed claimed) {
            return run(call, lease, scope, claimed.claim());
        }
        if (claim instanceof Claim.AlreadyDone) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "key " + text + " of " + call.name() + " is done, so " + call.method() + " is skipped");
            return call.method().nothing();
        }
        Claim.Refused refused = (Claim.Refused) claim;
        if (!(refused instanceof Claim.Taken)) {
            throw stale(lease, refused.explanation());
        }
        if (call.method().onBusy() == OnBusy.SKIP) {
            return call.method().nothing();
        }
        throw new LeaseBusyException(call.name(), refused.explanation());
    }

    private @Nullable Object run(LeasedInterceptor.Call call, Lease lease, LeaseScope scope, WorkClaim claim)
            throws Throwable {
        Completion completion = new Completion(claim, lease);
        if (work != null && call.method().isTransactional()) {
            scope.lastStepOfTransaction(completion, call.method().joinsTransactionOfCaller());
        }
        Object value;
        try {
            value = call.proceed(lease);
        } catch (Throwable e) {
            fail(claim, e);
            throw e;
        }
        if (!completion.isTaken() && ledger.complete(claim, null) instanceof WorkStep.Stale stale) {
            throw stale(lease, stale.explanation());
        }
        return value;
    }

    private static StaleLeaseException stale(Lease lease, String explanation) {
        lease.reportStale(explanation);
        return new StaleLeaseException(lease.grant(), explanation);
    }

    /** Best effort: the next owner of the lease resumes the key even if its failure was not recorded. */
    private void fail(WorkClaim claim, Throwable cause) {
        boolean interrupted = Thread.interrupted();
        try {
            ledger.fail(claim, Note.clipped(String.valueOf(cause)));
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The completion as a part of the transaction that does the work. */
    private final class Completion implements TransactionStep {
        private final WorkClaim claim;
        private final Lease lease;
        private boolean joined;

        Completion(WorkClaim claim, Lease lease) {
            this.claim = claim;
            this.lease = lease;
        }

        /** Whether a transaction contains it; one that is still active belongs to a caller of the method. */
        boolean isTaken() {
            return joined;
        }

        @Override
        public boolean accepts(DataSource other) {
            joined = other == source;
            return joined;
        }

        @Override
        public void take(Connection connection) throws SQLException {
            if (Objects.requireNonNull(work).complete(connection, claim, null, List.of())
                    instanceof WorkStep.Stale stale) {
                throw stale(lease, stale.explanation());
            }
        }

        @Override
        public void ended(boolean committed) {
            if (!committed) {
                fail(claim, new IllegalStateException("the transaction was rolled back"));
            }
        }
    }
}
