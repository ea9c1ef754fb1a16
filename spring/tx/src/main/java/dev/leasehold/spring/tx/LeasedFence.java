package dev.leasehold.spring.tx;

import dev.leasehold.fence.Fence;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.util.Optional;

/**
 * The fence of a target that is not a database: a file, a value in Redis, a git remote. It shows the
 * fence the grant of the current lease, and throws if the grant is stale. For use as a bean:
 *
 * <pre>
 * &#64;Bean
 * LeasedFence&lt;Content&gt; page() {
 *     return LeasedFence.of("report", FencedFile.at(Path.of("/srv/report.html")));
 * }
 *
 * &#64;Leased("report")
 * public void report() {
 *     page.raise(); // before the first read
 *     page.write(Content.of(...));
 * }
 * </pre>
 *
 * <p>A write takes effect at once. It does not wait for the transaction, and a rollback does not undo
 * it. Safe for use by many threads if the fence is.
 *
 * @param <W> what is written
 */
public final class LeasedFence<W> {
    private final LeaseName name;
    private final Fence<W> fence;

    private LeasedFence(LeaseName name, Fence<W> fence) {
        this.name = name;
        this.fence = fence;
    }

    /** @param name the lease to which the target belongs; no other lease of the thread is shown to it */
    public static <W> LeasedFence<W> of(String name, Fence<W> fence) {
        return new LeasedFence<>(LeaseName.of(name), fence);
    }

    /**
     * Raises the fence. From now on, older runs cannot write.
     *
     * @throws StaleLeaseException if a newer run has raised the fence
     * @throws IllegalStateException if this thread does not work under the lease
     */
    public void raise() {
        Grant grant = grant();
        require(grant, fence.raise(grant));
    }

    /**
     * Checks the grant and writes, in one step.
     *
     * @throws StaleLeaseException if a newer run has raised the fence; nothing was written
     * @throws IllegalStateException if this thread does not work under the lease, or the target refused
     *     the write for another reason; nothing was written
     */
    public void write(W content) {
        Grant grant = grant();
        require(grant, fence.admit(grant, content));
    }

    /** As {@link #write}, once for each grant. The same content again changes nothing, other content is refused. */
    public void writeOnce(W content) {
        Grant grant = grant();
        require(grant, fence.admitOnce(grant, content));
    }

    private Grant grant() {
        return LeaseScope.find(name)
                .map(LeaseScope::grant)
                .orElseThrow(
                        () -> new IllegalStateException("nothing was written: this thread does not work under lease "
                                + name + ", to which the target belongs"));
    }

    private void require(Grant grant, Admission answer) {
        if (!(answer instanceof Admission.Refused refused)) {
            return;
        }
        if (refused instanceof Admission.Stale || refused instanceof Admission.StoreWentBack) {
            LeaseScope.find(name)
                    .flatMap(LeaseScope::lease)
                    .ifPresent(lease -> lease.reportStale(refused.explanation()));
            throw new StaleLeaseException("nothing was written: ", grant, refused, Optional.empty(), null);
        }
        throw new IllegalStateException("nothing was written: " + refused.explanation());
    }
}
