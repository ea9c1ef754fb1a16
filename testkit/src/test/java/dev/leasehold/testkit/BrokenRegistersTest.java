package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.CasRegister;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The contract finds the mistakes that compare-and-set prevents. */
class BrokenRegistersTest {
    @Test
    void checkFollowedByAWriteIsFound() {
        assertThat(ContractRun.of(OfCheckThenWrite.class).failed())
                .contains("oneOfManyCreatorsWins", "oneOfManyWritersOfOneVersionWins", "noIncrementIsLost")
                .doesNotContain("keyIsCreatedOnlyOnce", "staleVersionChangesNothing", "keysAreListedInOrderAndInPages");
    }

    @Test
    void versionDerivedFromTheValueIsFound() {
        assertThat(ContractRun.of(OfValueAsVersion.class).failed()).contains("sameValueWrittenAgainIsANewVersion");
    }

    @Test
    void versionThatComesBackWithARemovedKeyIsFound() {
        assertThat(ContractRun.of(OfCountedVersions.class).failed())
                .contains("versionsOfARecreatedKeyNeverRepeat", "removedKeyIsAbsentAndItsVersionsNeverComeBack");
    }

    @Test
    void missingLimitsAreFound() {
        assertThat(ContractRun.of(OfNoLimits.class).failed())
                .contains("largestValueIsKeptAndALargerOneIsRefusedWithoutAnyChange", "keysOutsideTheLimitsAreRefused");
    }

    static class OfCheckThenWrite extends CasRegisterContract {
        private final CasRegister register = new CheckThenWriteRegister(new ManualClock());

        @Override
        protected CasRegister openRegister() {
            return register;
        }
    }

    static class OfValueAsVersion extends CasRegisterContract {
        private final CasRegister register = new NaiveRegister(new ManualClock()) {
            @Override
            String versionOf(Entry entry) {
                return "v" + entry.value().hashCode();
            }
        };

        @Override
        protected CasRegister openRegister() {
            return register;
        }
    }

    static class OfCountedVersions extends CasRegisterContract {
        private final CasRegister register = new NaiveRegister(new ManualClock()) {
            @Override
            public boolean remove(String key, String expected) {
                return read(key).version().equals(expected) && forget(key);
            }
        };

        @Override
        protected CasRegister openRegister() {
            return register;
        }
    }

    static class OfNoLimits extends CasRegisterContract {
        private final CasRegister register = new NaiveRegister(new ManualClock());

        @Override
        protected CasRegister openRegister() {
            return register;
        }
    }

    /** Correct in one thread, and without limits. */
    private static class NaiveRegister implements CasRegister {
        record Entry(String value, long number) {}

        private final ConcurrentSkipListMap<String, Entry> values = new ConcurrentSkipListMap<>();
        private final InstantSource clock;

        NaiveRegister(InstantSource clock) {
            this.clock = clock;
        }

        String versionOf(Entry entry) {
            return "v" + entry.number();
        }

        void betweenCheckAndWrite() {}

        boolean forget(String key) {
            return values.remove(key) != null;
        }

        @Override
        public Reading read(String key) {
            Entry entry = values.get(key);
            return entry == null
                    ? Reading.absent(clock.instant())
                    : new Reading(Optional.of(entry.value), versionOf(entry), clock.instant());
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            Entry before = values.get(key);
            if (!expected.equals(before == null ? ABSENT : versionOf(before))) {
                return false;
            }
            betweenCheckAndWrite();
            values.put(key, new Entry(value, before == null ? 1 : before.number + 1));
            return true;
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return values.navigableKeySet().stream()
                    .filter(key -> key.startsWith(prefix) && key.compareTo(after) > 0)
                    .limit(limit)
                    .toList();
        }
    }

    /** Checks and writes in two steps, as a script does with test and mv. */
    static final class CheckThenWriteRegister extends NaiveRegister {
        CheckThenWriteRegister(InstantSource clock) {
            super(clock);
        }

        @Override
        void betweenCheckAndWrite() {
            LockSupport.parkNanos(500_000);
        }

        @Override
        public Reading read(String key) {
            CasRegister.requireKey(key);
            return super.read(key);
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            CasRegister.requireKey(key);
            CasRegister.requireValue(value);
            return super.compareAndSet(key, expected, value);
        }
    }
}
