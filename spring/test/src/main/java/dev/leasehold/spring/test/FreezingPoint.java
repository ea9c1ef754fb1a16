package dev.leasehold.spring.test;

import dev.leasehold.model.Grant;
import dev.leasehold.spring.LeaseEvent;
import dev.leasehold.spring.tx.CurrentLease;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** Blocks the thread of the first machine once, at a chosen point. */
final class FreezingPoint {
    private volatile @Nullable Armed armed;

    Armed arm(Freeze where, Collection<ConfigurableTransactionManager> managers) {
        Armed made = new Armed(where, managers);
        armed = made;
        return made;
    }

    /** Published on the thread that acquired the lease. */
    void on(LeaseEvent event) {
        Armed now = armed;
        if (now != null && event instanceof LeaseEvent.Acquired acquired) {
            now.reached(Freeze.AFTER_ACQUIRE, acquired.grant());
        }
    }

    /** One run of two machines. */
    final class Armed implements AutoCloseable, TransactionExecutionListener {
        private final Freeze where;
        private final Collection<ConfigurableTransactionManager> managers;
        private final AtomicReference<@Nullable Thread> first = new AtomicReference<>();
        private final AtomicReference<@Nullable Grant> grant = new AtomicReference<>();
        private final CountDownLatch frozen = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        private Armed(Freeze where, Collection<ConfigurableTransactionManager> managers) {
            this.where = where;
            this.managers = managers;
            for (ConfigurableTransactionManager manager : managers) {
                // Before the fence, which would lock its row.
                List<TransactionExecutionListener> all = new ArrayList<>(manager.getTransactionExecutionListeners());
                all.add(0, this);
                manager.setTransactionExecutionListeners(all);
            }
        }

        void isFirstMachine() {
            first.set(Thread.currentThread());
        }

        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
            CurrentLease.grant().ifPresent(current -> reached(Freeze.BEFORE_TRANSACTION, current));
        }

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            CurrentLease.grant().ifPresent(current -> reached(Freeze.BEFORE_COMMIT, current));
        }

        private void reached(Freeze point, Grant current) {
            if (point == where && first.compareAndSet(Thread.currentThread(), null)) {
                grant.set(current);
                frozen.countDown();
                awaitUninterruptibly();
            }
        }

        /** A process that is frozen notices nothing. */
        private void awaitUninterruptibly() {
            boolean waiting = true;
            while (waiting) {
                try {
                    goOn.await();
                    waiting = false;
                } catch (InterruptedException e) {
                    // The lease is lost; the method is to find that out by itself.
                    waiting = true;
                }
            }
        }

        Grant awaitFrozen(Future<?> method, long seconds) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            try {
                while (!frozen.await(50, TimeUnit.MILLISECONDS)) {
                    if (method.isDone() || System.nanoTime() > end) {
                        throw new AssertionError("the method never came to " + where + ": is it @Leased"
                                + (where == Freeze.AFTER_ACQUIRE ? "" : " and @Transactional")
                                + ", called on the bean, and"
                                + " was its lease free?");
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("the test was interrupted", e);
            }
            return java.util.Objects.requireNonNull(grant.get());
        }

        void goOn() {
            goOn.countDown();
        }

        @Override
        public void close() {
            armed = null;
            goOn.countDown();
            for (ConfigurableTransactionManager manager : managers) {
                List<TransactionExecutionListener> rest = new ArrayList<>(manager.getTransactionExecutionListeners());
                rest.remove(this);
                manager.setTransactionExecutionListeners(rest);
            }
        }
    }
}
