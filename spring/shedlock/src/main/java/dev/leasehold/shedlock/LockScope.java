package dev.leasehold.shedlock;

import dev.leasehold.spring.tx.LeaseScope;

/**
 * The time from lock to unlock, in which the transactions of the task are fenced with the grant of the
 * lock. Does nothing where {@code leasehold-spring-tx} is not on the class path.
 */
interface LockScope {
    void close();

    static LockScope open(LockHold hold) {
        return Spring.PRESENT ? Spring.open(hold) : () -> {};
    }

    /** A class of its own, so that the types of Spring are loaded only where they are present. */
    final class Spring {
        static final boolean PRESENT = isPresent();

        private Spring() {}

        static LockScope open(LockHold hold) {
            LeaseScope scope = hold.lease() == null ? LeaseScope.open(hold.grant()) : LeaseScope.open(hold.lease());
            return scope::close;
        }

        private static boolean isPresent() {
            try {
                Class.forName("dev.leasehold.spring.tx.LeaseScope", true, LockScope.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException | LinkageError e) {
                return false;
            }
        }
    }
}
