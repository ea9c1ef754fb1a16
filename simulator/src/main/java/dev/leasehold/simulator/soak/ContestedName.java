package dev.leasehold.simulator.soak;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A contested name and the file it guards: a number to which every admitted write adds one. */
final class ContestedName {
    private final LeaseName name;
    private final Path file;
    private final Fence<Content> fence;
    private final Tally tally;
    private final AtomicLong highest = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();

    ContestedName(LeaseName name, Path file, Fence<Content> fence, Tally tally) {
        this.name = name;
        this.file = file;
        this.fence = fence;
        this.tally = tally;
    }

    LeaseName name() {
        return name;
    }

    /** The highest token granted so far; to be read before a lease is requested. */
    long highest() {
        return highest.get();
    }

    /** @param before the value of {@link #highest()} before this grant was requested */
    void granted(Grant grant, long before) {
        long token = grant.token().value();
        if (token <= before) {
            tally.failed("a token did not rise: " + grant + " was issued after token " + before);
        }
        highest.accumulateAndGet(token, Math::max);
    }

    /**
     * Returns whether the fence accepts the grant. If not, a newer grant was first, which is not a
     * failure.
     */
    boolean raise(Grant grant) {
        return accepted(fence.raise(grant));
    }

    /** Reads, adds one and writes. This is safe only because {@link #raise} came first. */
    void addOne(Grant grant) {
        long next = read() + 1;
        try {
            if (accepted(fence.admit(grant, Content.of(next + "\n")))) {
                acknowledged.incrementAndGet();
                tally.count("writes");
            }
        } catch (TargetUnavailableException e) {
            unknown.incrementAndGet();
            throw e;
        }
    }

    /** Writes with a grant whose successor has already raised the fence. */
    void writeStale(Grant grant) {
        Admission answer = fence.admit(grant, Content.of("-1\n"));
        if (answer instanceof Admission.Refused) {
            tally.count("stale_writes_refused");
        } else {
            tally.failed(
                    "a stale write was admitted: " + grant + " although token " + highest + " was raised: " + answer);
        }
    }

    /** Checks that every acknowledged write is in the file, and no other. */
    void compareWithFile() {
        long sure = acknowledged.get();
        long found = read();
        if (found < sure || found > sure + unknown.get()) {
            tally.failed(file.getFileName() + " contains " + found + ", but " + sure
                    + " writes were acknowledged and the outcome of " + unknown + " is unknown");
        }
    }

    private boolean accepted(Admission answer) {
        if (answer instanceof Admission.StoreWentBack back) {
            tally.failed(back.explanation());
        }
        return answer instanceof Admission.Admitted;
    }

    private long read() {
        try {
            return Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
