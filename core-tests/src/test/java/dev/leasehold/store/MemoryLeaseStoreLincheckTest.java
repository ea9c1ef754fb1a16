package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of a few calls gives answers that some sequence of the same calls would give.
 * Time stands still, so that only the calls matter.
 */
class MemoryLeaseStoreLincheckTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final Holder HOLDER = Holder.of("holder");
    private static final Duration TTL = Duration.ofSeconds(90);
    private static final Note REASON = Note.of("reason");

    @Test
    void everyScheduleOfAFewCallsIsLinearizable() {
        options().check(MemoryStore.class);
    }

    @Test
    void storeThatChecksFirstAndTakesLaterIsFound() {
        assertThatThrownBy(() -> options().minimizeFailedScenario(false).check(CheckThenTake.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(40)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1);
    }

    /** Calls and answers as numbers: Lincheck follows every step, and texts would be slow. */
    @Param(name = "attempt", gen = IntGen.class, conf = "1:3")
    @Param(name = "grant", gen = IntGen.class, conf = "1:2")
    public static class MemoryStore {
        final MemoryLeaseStore store =
                new MemoryLeaseStore(StoreId.of("memory-store"), InstantSource.fixed(Instant.EPOCH));

        /** The token if granted, the negative token of the owner if busy, zero if spent. */
        @Operation
        public long acquire(@Param(name = "attempt") int attempt) {
            return numberOf(store.acquire(NAME, attempt(attempt), HOLDER, TTL));
        }

        @Operation
        public long takeover(@Param(name = "attempt") int attempt) {
            return numberOf(store.intervene(Intervention.takeover(NAME, attempt(attempt), HOLDER, TTL, REASON)));
        }

        @Operation
        public boolean renew(@Param(name = "grant") int token) {
            return store.renew(List.of(new RenewRequest(bare(token), TTL))).get(0) instanceof Renewal.Renewed;
        }

        /**
         * One if this call released the lease, two if an earlier one did, zero if the grant is not
         * current.
         */
        @Operation
        public int release(@Param(name = "grant") int token) {
            Release release = store.release(bare(token), Duration.ZERO);
            if (release instanceof Release.Released) {
                return 1;
            }
            return release instanceof Release.AlreadyReleased ? 2 : 0;
        }
    }

    /** Two callers can both find the name free. */
    @Param(name = "attempt", gen = IntGen.class, conf = "1:3")
    public static class CheckThenTake {
        private final MemoryStore behind = new MemoryStore();

        @Operation
        public long acquire(@Param(name = "attempt") int attempt) {
            boolean free = behind.store.inspect(NAME).map(LeaseSnapshot::isFree).orElse(true);
            return free ? behind.takeover(attempt) : -1;
        }
    }

    private static long numberOf(Acquisition answer) {
        if (answer instanceof Acquisition.Granted granted) {
            return granted.grant().token().value();
        }
        return answer instanceof Acquisition.Busy busy ? -busy.token().value() : 0;
    }

    private static AttemptId attempt(int number) {
        return AttemptId.of("attempt-" + number);
    }

    private static Grant bare(int token) {
        return Grant.bare(NAME, FencingToken.of(token));
    }
}
