package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.doctor.Examination;
import dev.leasehold.doctor.ExaminationProgress;
import dev.leasehold.doctor.Grade;
import dev.leasehold.doctor.StoreDoctor;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Tests that every store must pass. Extend this class, implement {@code openStore}, and run it
 * with JUnit against the real server; a store is complete when all tests pass. Each test is named
 * after the accident it prevents.
 *
 * <p>Tests use new names and leave their records behind, so all tests can share one store, and it
 * need not be emptied. With a store that keeps real time the contract takes a few seconds.
 *
 * <p>The contract cannot show that records survive a crash of the machine, or that the store uses
 * its own clock when client and server run on the same host. Test those with the store itself.
 */
public abstract class LeaseStoreContract extends StoreContract {
    @Nested
    class Holding extends LeaseStoreHoldingTests {
        Holding() {
            super(LeaseStoreContract.this);
        }
    }

    @Nested
    class Attempts extends LeaseStoreAttemptTests {
        Attempts() {
            super(LeaseStoreContract.this);
        }
    }

    @Nested
    class Operators extends LeaseStoreOperatorTests {
        Operators() {
            super(LeaseStoreContract.this);
        }
    }

    @Nested
    class Reading extends LeaseStoreReadingTests {
        Reading() {
            super(LeaseStoreContract.this);
        }
    }

    @Nested
    class ForgettingNames extends LeaseStoreForgettingTests {
        ForgettingNames() {
            super(LeaseStoreContract.this);
        }
    }

    @Nested
    class LostMessages extends LeaseStoreLostMessageTests {
        LostMessages() {
            super(LeaseStoreContract.this);
        }
    }

    @Nested
    class Races extends LeaseStoreRaceTests {
        Races() {
            super(LeaseStoreContract.this);
        }
    }

    @Nested
    class Examined {
        /** The same examination as {@code leasehold doctor}, with fewer rounds. */
        @Test
        void theDoctorFindsNoFault() throws InterruptedException {
            ExaminationProgress untold = step -> {};
            Examination examination = new StoreDoctor(
                            LeaseStoreContract.this::openStore, LeaseTerms.ofTtl(Duration.ofMinutes(5)), 20, untold)
                    .examine();
            try (LeaseStore store = openStore()) {
                assertThat(examination.grade())
                        .as(examination.toString())
                        .isEqualTo(store.atomicBecause().isPresent() ? Grade.ATOMIC : Grade.OBSERVED);
            }
        }
    }
}
