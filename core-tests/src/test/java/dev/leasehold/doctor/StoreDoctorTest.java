package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.store.MemoryRegister;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreDoctorTest {
    private final List<String> steps = new ArrayList<>();

    private Examination examine(Supplier<LeaseStore> opener) throws InterruptedException {
        return new StoreDoctor(opener, LeaseTerms.ofTtl(Duration.ofSeconds(90)), 60, steps::add).examine();
    }

    @Test
    void fileStoreIsReportedAtomicAndNothingIsLeftInIt(@TempDir Path directory) throws Exception {
        Examination examination = examine(() -> FileLeaseStore.create(directory.resolve("store")));

        assertThat(examination.grade()).as(examination.toString()).isEqualTo(Grade.ATOMIC);
        assertThat(steps).isNotEmpty();
        for (String part : List.of("leases", "register")) {
            try (var left = Files.list(directory.resolve("store").resolve(part))) {
                assertThat(left).as(part).isEmpty();
            }
        }
    }

    @Test
    void registerThatComparesBeforeItSetsIsRejected() throws Exception {
        CasRegister racy = new RacyRegister(new MemoryRegister(Clock.systemUTC()));

        Examination examination = examine(() -> CasLeaseStore.over(racy));

        assertThat(examination.grade()).as(examination.toString()).isEqualTo(Grade.UNSAFE);
        assertThat(examination.findings())
                .anySatisfy(finding -> assertThat(finding.kind()).isEqualTo(Finding.Kind.FAULT));
    }

    /** As a store does that answers from a replica or a cache. Its compare-and-set is atomic. */
    @Test
    void registerWithStaleReadsIsRejected() throws Exception {
        MemoryRegister sound = new MemoryRegister(Clock.systemUTC());

        Examination examination =
                examine(() -> CasLeaseStore.over(new StaleRegister(sound, new ConcurrentHashMap<>())));

        assertThat(examination.grade()).as(examination.toString()).isEqualTo(Grade.UNSAFE);
        assertThat(examination.findings())
                .anySatisfy(finding -> assertThat(finding.text()).contains("reads are stale"));
    }

    @Test
    void storeWithoutAClockIsExaminedWithoutOne() throws Exception {
        MemoryRegister sound = new MemoryRegister(Clock.systemUTC());

        Examination examination = examine(() -> CasLeaseStore.over(new WithoutClock(sound)));

        assertThat(examination.grade()).as(examination.toString()).isEqualTo(Grade.OBSERVED);
        assertThat(examination.findings())
                .anySatisfy(finding -> assertThat(finding.text()).contains("has no clock"))
                .noneSatisfy(finding -> assertThat(finding.text()).contains("drifted"));
    }

    @Test
    void correctRegisterWithoutAKnownGuaranteeIsReportedAsObserved() throws Exception {
        CasRegister sound = new MemoryRegister(Clock.systemUTC());

        Examination examination = examine(() -> CasLeaseStore.over(sound));

        assertThat(examination.grade()).as(examination.toString()).isEqualTo(Grade.OBSERVED);
    }

    @Test
    void storeThatForgetsItsTokensIsRejected() throws Exception {
        Supplier<LeaseStore> newStoreEachTime = () -> new MemoryLeaseStore();

        assertThat(examine(newStoreEachTime).grade()).isEqualTo(Grade.UNSAFE);
    }

    private record WithoutClock(MemoryRegister behind) implements ClocklessRegister {
        @Override
        public Reading read(String key) {
            return behind.read(key);
        }

        @Override
        public Optional<String> replace(String key, String expected, String value) {
            return behind.replace(key, expected, value);
        }

        @Override
        public boolean remove(String key, String expected) {
            return behind.remove(key, expected);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return behind.keys(prefix, after, limit);
        }
    }

    /** Answers from what it has read before, every other time. */
    private record StaleRegister(CasRegister behind, Map<String, Reading> cache) implements CasRegister {
        @Override
        public Reading read(String key) {
            Reading old = cache.remove(key);
            if (old != null) {
                return old;
            }
            Reading reading = behind.read(key);
            cache.put(key, reading);
            return reading;
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            cache.remove(key);
            return behind.compareAndSet(key, expected, value);
        }

        @Override
        public boolean remove(String key, String expected) {
            cache.remove(key);
            return behind.remove(key, expected);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return behind.keys(prefix, after, limit);
        }
    }

    /** Checks first and writes afterwards, as many homemade locks do. */
    private record RacyRegister(CasRegister behind) implements CasRegister {
        @Override
        public Reading read(String key) {
            return behind.read(key);
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            if (!behind.read(key).version().equals(expected)) {
                return false;
            }
            LockSupport.parkNanos(50_000);
            while (!behind.compareAndSet(key, behind.read(key).version(), value)) {
                Thread.onSpinWait();
            }
            return true;
        }

        @Override
        public boolean remove(String key, String expected) {
            return behind.remove(key, expected);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return behind.keys(prefix, after, limit);
        }
    }
}
