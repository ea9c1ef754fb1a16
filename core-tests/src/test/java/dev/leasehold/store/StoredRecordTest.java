package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What may be under the key of a lease. */
class StoredRecordTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final String KEY = "lease/job";
    private static final Duration TTL = Duration.ofMinutes(1);

    private final ManualClock clock = new ManualClock();
    private final MemoryRegister memory = new MemoryRegister(clock);
    private final LeaseStore store = CasLeaseStore.over(memory);

    private Acquisition acquire(String attempt) {
        return store.acquire(NAME, AttemptId.of(attempt), Holder.of("me"), TTL);
    }

    private void write(String value) {
        assertThat(memory.compareAndSet(KEY, memory.read(KEY).version(), value)).isTrue();
    }

    /** If it were a new name, tokens would be issued again. */
    @Test
    void emptyOrDamagedRecordIsNotANewName() {
        acquire("first-attempt");
        for (String damage : List.of("", "\n", "rubbish", "leasehold reserved")) {
            write(damage);
            List<ThrowingCallable> operations = List.of(
                    () -> acquire("next-attempt"),
                    () -> store.intervene(Intervention.takeover(
                            NAME, AttemptId.of("operator"), Holder.of("operator"), TTL, Note.of("it burnt"))),
                    () -> store.abandon(NAME, AttemptId.of("first-attempt")),
                    () -> store.inspect(NAME),
                    () -> store.history(NAME, 10),
                    () -> store.forget(List.of(new ForgetRequest(NAME, FencingToken.of(1)))));
            for (ThrowingCallable operation : operations) {
                assertThatThrownBy(operation)
                        .as("'%s'", damage)
                        .isInstanceOf(StoreCorruptException.class)
                        .hasMessageContaining(KEY);
            }
            assertThat(memory.read(KEY).value()).hasValue(damage);
        }
    }

    /** A client died between the two writes of a first grant. */
    @Test
    void reservedKeyIsANewName() {
        write(StoredRecord.RESERVED);
        assertThat(store.inspect(NAME)).isEmpty();
        assertThat(store.history(NAME, 10)).isEmpty();
        assertThat(acquire("first-attempt")).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void timeOfDayIsTheStoreTimeIfTheStoreHasAClock() {
        acquire("first-attempt");
        clock.advance(Duration.ofNanos(1_500));
        LeaseSnapshot seen = store.inspect(NAME).orElseThrow();
        assertThat(seen.readAt()).isEqualTo(seen.at());
    }

    /** The advice for a damaged record is to remove it. */
    @Test
    void failureOfTheClientLibraryIsNotCalledADamagedRecord() {
        LeaseStore unreachable = CasLeaseStore.over(new UnusableRegister());
        List<ThrowingCallable> operations = List.of(
                () -> unreachable.inspect(NAME),
                () -> unreachable.history(NAME, 10),
                () -> unreachable.acquire(NAME, AttemptId.of("first-attempt"), Holder.of("me"), TTL));
        for (ThrowingCallable operation : operations) {
            assertThatThrownBy(operation).isExactlyInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Its client library refuses to read leases. */
    private final class UnusableRegister implements CasRegister {
        @Override
        public Reading read(String key) {
            if (key.equals(KEY)) {
                throw new IllegalArgumentException("the port is out of range");
            }
            return memory.read(key);
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            return memory.compareAndSet(key, expected, value);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return memory.keys(prefix, after, limit);
        }
    }
}
