package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.MemoryLeaseStore;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobRecordsTest {
    /** More than the jobs of one file. */
    private static final int MANY = 10_001;

    @Test
    void allJobsAreListedHoweverManyThereAre() {
        try (MemoryLeaseStore store = new MemoryLeaseStore()) {
            List<String> names =
                    IntStream.range(0, MANY).mapToObj(i -> "job-" + i).sorted().toList();
            names.forEach(name -> store.register().compareAndSet("slots/" + name, CasRegister.ABSENT, "x"));
            store.register().compareAndSet("slots/not a name", CasRegister.ABSENT, "x");
            JobRecords records = new JobRecords(store.register());

            assertThat(records.all()).extracting(LeaseName::value).isEqualTo(names);
            assertThat(records.all()).as("again").hasSize(MANY);
        }
    }

    @Test
    void aListEndsWithItsLastJob() {
        try (MemoryLeaseStore store = new MemoryLeaseStore()) {
            Iterator<LeaseName> all = new JobRecords(store.register()).all().iterator();
            assertThat(all.hasNext()).isFalse();
            assertThatThrownBy(all::next).isInstanceOf(NoSuchElementException.class);
        }
    }
}
