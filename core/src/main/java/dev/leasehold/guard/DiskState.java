package dev.leasehold.guard;

import dev.leasehold.internal.Fields;
import dev.leasehold.model.Grant;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the fence of a target on a disk remembers beyond what every fence does.
 *
 * @param kind what the target is; null while it was only raised
 * @param unfinished who began to write the target in place and was not seen to end well
 */
record DiskState(FenceState fence, @Nullable TargetKind kind, @Nullable Unfinished unfinished) {
    private static final String HEADER = "leasehold fence 1";

    static DiskState first(Grant grant) {
        return new DiskState(FenceState.first(grant), null, null);
    }

    /** One target is written in one way: the fence of another could not tell what is whole. */
    void requireKind(TargetKind wanted, Path target) {
        if (kind != null && kind != wanted) {
            throw new WrongFenceException(target + " is guarded as " + kind.description()
                    + ": nothing was written. Use that for this target");
        }
    }

    DiskState with(FenceState other) {
        return new DiskState(other, kind, unfinished);
    }

    DiskState with(@Nullable Unfinished other) {
        return new DiskState(fence, kind, other);
    }

    String format() {
        return fence.putInto(new Fields(HEADER))
                .put("kind", kind)
                .put("unfinished", unfinished)
                .format();
    }

    static DiskState parse(String text) {
        Fields fields = Fields.parse(HEADER, text);
        FenceState fence = FenceState.from(fields);
        TargetKind kind = fields.optional("kind", TargetKind::of);
        // Fences that are older than the kinds guard files.
        TargetKind known = kind == null && fence.pending() != null ? TargetKind.FILE : kind;
        return new DiskState(fence, known, fields.optional("unfinished", Unfinished::parse));
    }
}
