package dev.leasehold.fence;

import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the fence of a target on a disk remembers, for people who find out why it refuses.
 *
 * @param kind the kind of the target in one word; null while the fence was only raised
 * @param description the kind of the target for people; null if there is no kind
 * @param pending whether a write is decided and not known to be in place. The next step through
 *     the fence completes or withdraws it
 * @param halfWritten the token that began to write the target in place and is not known to have
 *     finished
 * @param changesOutside how often the fence noticed a change by another program
 * @param changedAt when the fence was last changed, by the clock of the file system
 */
public record FenceDetails(
        FenceState state,
        @Nullable String kind,
        @Nullable String description,
        boolean pending,
        @Nullable FencingToken halfWritten,
        long changesOutside,
        Instant changedAt) {
    static FenceDetails of(DiskTarget target, DiskState state) throws IOException {
        TargetKind kind = state.kind();
        Unfinished unfinished = state.unfinished();
        return new FenceDetails(
                state.fence(),
                kind == null ? null : kind.toString(),
                kind == null ? null : kind.description(),
                kind != null && kind.isPending(target, state),
                unfinished == null ? null : unfinished.token(),
                state.placement().changes(),
                Files.getLastModifiedTime(target.fence()).toInstant());
    }
}
