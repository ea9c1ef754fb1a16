package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Fence;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The contract finds fences that admit stale writes. */
class BrokenFencesTest {
    @Test
    void fenceThatRemembersOnlyTheTokenIsFound() {
        assertThat(ContractRun.of(OfTokenOnly.class).failed())
                .contains(
                        "equalTokenFromAnotherAttemptMeansTheStoreWentBack",
                        "anotherLeaseNameIsAUsageErrorThatNamesTheLease",
                        "anotherStoreIsAUsageError",
                        "onceAdmitsOneWrite")
                .doesNotContain(
                        "staleTokenIsRefusedAndChangesNothing", "contentOfRacingWritersIsWholeAndOfTheHighestToken");
    }

    @Test
    void raiseThatIsForgottenIsFound() {
        assertThat(ContractRun.of(OfForgottenRaise.class).failed())
                .contains("raiseBeforeFirstReadStopsAnOlderWrite", "tokenNeverGoesBackAfterRefusal");
    }

    @Test
    void checkFollowedByAWriteIsFound() {
        assertThat(ContractRun.of(OfCheckThenWrite.class).failed())
                .contains("contentOfRacingWritersIsWholeAndOfTheHighestToken")
                .doesNotContain("staleTokenIsRefusedAndChangesNothing", "oneGrantAdmitsManyWrites");
    }

    abstract static class OfVariable extends FenceContract<String> {
        private final VariableFence target;

        OfVariable(VariableFence target) {
            this.target = target;
        }

        @Override
        protected Fence<String> openFence() {
            return target;
        }

        @Override
        protected String write(String content) {
            return content;
        }

        @Override
        protected Optional<String> read() {
            return Optional.ofNullable(target.content);
        }
    }

    static class OfTokenOnly extends OfVariable {
        OfTokenOnly() {
            super(new VariableFence());
        }
    }

    static class OfForgottenRaise extends OfVariable {
        OfForgottenRaise() {
            super(new VariableFence() {
                @Override
                public Admission raise(Grant grant) {
                    return new Admission.Admitted(grant.token());
                }
            });
        }
    }

    static class OfCheckThenWrite extends OfVariable {
        OfCheckThenWrite() {
            super(new CheckThenWriteFence());
        }
    }

    /** Checks, pauses, and then writes: the first large write lands after all others. */
    private static final class CheckThenWriteFence extends VariableFence {
        private static final int LARGE = 10_000;
        private static final long QUIET_NANOS = 200_000_000;
        private static final int MAX_PAUSES = 1000;

        private final AtomicBoolean paused = new AtomicBoolean();
        private final AtomicLong latestCall = new AtomicLong();

        @Override
        public Admission admit(Grant grant, String write) {
            latestCall.set(System.nanoTime());
            Admission checked = check(grant);
            if (checked instanceof Admission.Admitted) {
                boolean zombie = write.length() > LARGE && paused.compareAndSet(false, true);
                for (int i = 0; zombie && i < MAX_PAUSES && System.nanoTime() - latestCall.get() < QUIET_NANOS; i++) {
                    LockSupport.parkNanos(5_000_000);
                }
                content = write;
                if (zombie) {
                    // Long enough for readers to see it.
                    LockSupport.parkNanos(QUIET_NANOS);
                }
            }
            return checked;
        }
    }

    /** A variable that only the highest token guards. */
    private static class VariableFence implements Fence<String> {
        volatile String content;
        private long raised;

        @Override
        public Admission raise(Grant grant) {
            return check(grant);
        }

        @Override
        public Admission rebind(Grant grant) {
            return check(grant);
        }

        synchronized Admission check(Grant grant) {
            if (grant.token().value() < raised) {
                return new Admission.Stale(grant, FencingToken.of(raised));
            }
            raised = grant.token().value();
            return new Admission.Admitted(grant.token());
        }

        @Override
        public Admission admit(Grant grant, String write) {
            synchronized (this) {
                Admission checked = check(grant);
                if (checked instanceof Admission.Admitted) {
                    content = write;
                }
                return checked;
            }
        }

        @Override
        public Admission admitOnce(Grant grant, String write) {
            return admit(grant, write);
        }
    }
}
