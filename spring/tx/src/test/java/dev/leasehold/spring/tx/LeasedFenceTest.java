package dev.leasehold.spring.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is written under the lease of the current thread. */
class LeasedFenceTest {
    private final AtomicInteger refusals = new AtomicInteger();
    private final Leases leases = Leases.over(Stores.create("memory:"))
            .listener(new LeaseListener() {
                @Override
                public void staleRefused(Lease lease, String explanation) {
                    refusals.incrementAndGet();
                }
            })
            .build();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        leases.close();
    }

    private Lease acquire(String name) {
        return ((AcquireResult.Acquired) leases.tryAcquire(name)).held();
    }

    private LeasedFence<Content> page() {
        return LeasedFence.of("report", FencedFile.at(folder.resolve("report.html")));
    }

    @Test
    void currentRunWritesAndAStaleOneIsRefused() {
        LeasedFence<Content> page = page();
        Lease first = acquire("report");
        try (LeaseScope scope = LeaseScope.open(first)) {
            page.raise();
            page.write(Content.of("first"));
        }
        first.close();
        try (Lease second = acquire("report");
                LeaseScope scope = LeaseScope.open(second)) {
            page.raise();
        }
        try (LeaseScope stale = LeaseScope.open(first)) {
            assertThatThrownBy(() -> page.write(Content.of("stale")))
                    .isInstanceOf(StaleLeaseException.class)
                    .hasMessageContaining("nothing was written: token 1 of report is stale");
            assertThatThrownBy(page::raise).isInstanceOf(StaleLeaseException.class);
        }
        assertThat(folder.resolve("report.html")).hasContent("first");
        assertThat(refusals).hasValue(2);
    }

    /** The first write would bind the file to the wrong lease, and the right one could never write. */
    @Test
    void onlyItsOwnLeaseIsShownToTheTarget() {
        LeasedFence<Content> page = page();
        assertThatThrownBy(() -> page.write(Content.of("without")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not work under lease report");
        try (Lease other = acquire("other");
                LeaseScope scope = LeaseScope.open(other)) {
            assertThatThrownBy(() -> page.write(Content.of("other"))).isInstanceOf(IllegalStateException.class);
            try (Lease own = acquire("report");
                    LeaseScope inner = LeaseScope.open(own);
                    Lease innermost = acquire("innermost");
                    LeaseScope last = LeaseScope.open(innermost)) {
                page.write(Content.of("own"));
            }
        }
        assertThat(folder.resolve("report.html")).hasContent("own");
    }

    @Test
    void writeThatIsRefusedForAnotherReasonIsNotCalledStale() {
        LeasedFence<Content> page = page();
        try (Lease lease = acquire("report");
                LeaseScope scope = LeaseScope.open(lease)) {
            page.writeOnce(Content.of("final"));
            page.writeOnce(Content.of("final"));
            assertThatThrownBy(() -> page.writeOnce(Content.of("other")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was used");
        }
        assertThat(folder.resolve("report.html")).hasContent("final");
        assertThat(refusals).hasValue(0);
    }
}
