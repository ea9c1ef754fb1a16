package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.CasRegister;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreDoctorTest {
    private final List<String> steps = new ArrayList<>();

    private Examination examine(Supplier<LeaseStore> opener) throws InterruptedException {
        return new StoreDoctor(opener, LeaseTerms.ofTtl(Duration.ofSeconds(90)), steps::add).examine();
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
