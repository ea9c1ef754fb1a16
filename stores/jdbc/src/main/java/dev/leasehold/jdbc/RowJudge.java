package dev.leasehold.jdbc;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.Step;
import dev.leasehold.store.SteppedLeaseStore;
import dev.leasehold.store.Transition;
import java.util.List;

/**
 * The rules of the core, asked about one row. Statements decide the ordinary case by themselves; when one changed nothing,
 * this says what that means (busy, spent, superseded, lapsed, …), so that there is no second set of rules to keep in step.
 * What the rules then want to write (a lost reply's own grant prolonged, a clock that was set back) is written if the row is
 * still what it was.
 */
final class RowJudge extends SteppedLeaseStore {
    private final LeaseRow row;
    private final Rewriter rewriter;
    private boolean overtaken;

    /** Replaces the changeable part of a row if it is still as it was read. */
    @FunctionalInterface
    interface Rewriter {
        boolean replace(LeaseRecord before, LeaseRecord after);
    }

    RowJudge(StoreId store, LeaseRow row, Rewriter rewriter) {
        super(store);
        this.row = row;
        this.rewriter = rewriter;
    }

    /** Whether somebody changed the row meanwhile, so that the answer does not count and the statement has to be repeated. */
    boolean overtaken() {
        return overtaken;
    }

    @Override
    protected <T> T step(LeaseName name, Transition<T> transition) {
        LeaseRecord before = row.record();
        Step<T> step = transition.decide(before, row.clock());
        LeaseRecord after = step.write();
        if (after != null) {
            // A transfer is the statement's own business: it came too early or too late and has to be tried again.
            overtaken = before == null || step.transfers() || !rewriter.replace(before, after);
        }
        return step.answer();
    }

    @Override
    protected boolean erase(LeaseName name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CasRegister register() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
