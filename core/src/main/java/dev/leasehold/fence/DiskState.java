package dev.leasehold.fence;

import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.WrongFenceException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The state of a fence on a disk.
 *
 * @param pending a write that is decided and perhaps not yet in place, in the format of the
 *     target's kind
 * @param kind the kind of the target; null while the fence was only raised
 * @param unfinished the writer that began to write the target in place and is not known to
 *     have succeeded
 * @param former what is restored if the pending write is withdrawn; null if the write changes none
 *     of it or is known to be complete
 * @param placement what is known about the file or link in place; nothing for other kinds of targets
 */
record DiskState(
        FenceState fence,
        @Nullable String pending,
        @Nullable TargetKind kind,
        @Nullable Unfinished unfinished,
        @Nullable Former former,
        Placement placement) {
    private static final String HEADER = "leasehold fence 1";

    static DiskState first(Grant grant, String id) {
        return new DiskState(FenceState.first(grant).withId(id), null, null, null, null, Placement.NONE);
    }

    /** The parts of the state that a write replaces. */
    record Former(
            @Nullable TargetKind kind,
            @Nullable FencingToken once,
            @Nullable String digest,
            @Nullable Unfinished unfinished) {
        static Former of(DiskState state) {
            return new Former(state.kind, state.fence.once(), state.fence.digest(), state.unfinished);
        }

        /** The same fence with the one write as it was; the raised token stays. */
        FenceState restoredIn(FenceState fence) {
            return fence.withOnce(once, digest);
        }

        static Former parse(String text) {
            Words words = new Words("the state before the pending write", text);
            return new Former(
                    words.optional(TargetKind::of),
                    words.optional(FencingToken::parse),
                    words.optional(d -> d),
                    words.optionalRest(Unfinished::parse));
        }

        @Override
        public String toString() {
            return Words.join(kind, once, digest, unfinished);
        }
    }

    /**
     * A target is written in one way only, because each kind completes its pending
     * writes differently.
     */
    void requireKind(TargetKind wanted, Path target) {
        if (kind != null && kind != wanted) {
            throw new WrongFenceException(target + " is guarded as " + kind.description()
                    + ": nothing was written. Use that for this target");
        }
    }

    DiskState with(FenceState other) {
        return new DiskState(other, pending, kind, unfinished, former, placement);
    }

    DiskState with(@Nullable Unfinished other) {
        return new DiskState(fence, pending, kind, other, former, placement);
    }

    /** The state after a look at the file in place. A change by another program is counted. */
    DiskState seen(FenceStep step) throws IOException {
        Placement.Artifact known = placement.now();
        if (known == null) {
            return this;
        }
        Placement.Artifact found =
                Placement.Artifact.of(known.token(), step.target().file());
        return placement.isUntouched(found) ? this : with(placement.seen(found, step.openedAt()));
    }

    DiskState with(Placement other) {
        return new DiskState(fence, pending, kind, unfinished, former, other);
    }

    /**
     * The state with a pending write. It replaces the whole target, so an unfinished write in place
     * no longer matters.
     *
     * @param judged the state of the fence after the grant was admitted
     * @param placed the file that the write puts in place; null for other kinds of targets
     */
    DiskState withPending(
            FenceState judged, TargetKind written, String pendingWrite, Placement.@Nullable Artifact placed) {
        Placement next = placement.written(placed);
        DiskState after = new DiskState(judged, pendingWrite, written, null, null, next);
        Former before = Former.of(this);
        return before.equals(Former.of(after))
                ? after
                : new DiskState(judged, pendingWrite, written, null, before, next);
    }

    DiskState withPendingDone(@Nullable String stillPending) {
        return new DiskState(fence, stillPending, kind, unfinished, null, placement);
    }

    /**
     * Whether the pending write is the grant's only write, so that a crash leaves open whether it
     * was used.
     */
    boolean mayHaveUsedOnce() {
        return former != null
                && fence.raised().equals(fence.once())
                && !fence.raised().equals(former.once);
    }

    /** The state after the pending write is given up: as before it, but with the raised token. */
    DiskState withdrawn() {
        String left = kind == null || pending == null ? null : kind.withdraw(pending);
        if (left != null && left.equals(pending)) {
            return this;
        }
        Placement earlier = placement.withdrawn();
        return former == null
                ? new DiskState(fence, left, kind, unfinished, null, earlier)
                : new DiskState(former.restoredIn(fence), left, former.kind, former.unfinished, null, earlier);
    }

    String format() {
        return FenceText.write(HEADER, fence)
                .put("pending", pending)
                .put("kind", kind)
                .put("unfinished", unfinished)
                .put("former", former)
                .put("placed", placement.equals(Placement.NONE) ? null : placement)
                .format();
    }

    static DiskState parse(String text) {
        Fields fields = Fields.parse(HEADER, text);
        String pending = fields.optional("pending", p -> p);
        TargetKind kind = fields.optional("kind", TargetKind::of);
        // Versions that knew no kinds guarded only files.
        TargetKind known = kind == null && pending != null ? TargetKind.FILE : kind;
        Placement placed = fields.optional("placed", Placement::parse);
        return new DiskState(
                FenceText.read(fields),
                pending,
                known,
                fields.optional("unfinished", Unfinished::parse),
                fields.optional("former", Former::parse),
                placed == null ? Placement.NONE : placed);
    }
}
