package dev.leasehold.fence;

import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.WrongFenceException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the fence of a target on a disk remembers beyond what every fence does.
 *
 * @param pending a write that is decided but perhaps not yet in place, in the format of the target's kind
 * @param kind what the target is; null while it was only raised
 * @param unfinished who began to write the target in place and was not seen to end well
 * @param former what comes back if the pending write is withdrawn; null if it changes nothing of that, or is known to be done
 */
record DiskState(
        FenceState fence,
        @Nullable String pending,
        @Nullable TargetKind kind,
        @Nullable Unfinished unfinished,
        @Nullable Former former) {
    private static final String HEADER = "leasehold fence 1";

    static DiskState first(Grant grant) {
        return new DiskState(FenceState.first(grant), null, null, null, null);
    }

    /** What a write changes besides the target. */
    record Former(
            @Nullable TargetKind kind,
            @Nullable FencingToken once,
            @Nullable String digest,
            @Nullable Unfinished unfinished) {
        private static final String NONE = "-";

        static Former of(DiskState state) {
            return new Former(state.kind, state.fence.once(), state.fence.digest(), state.unfinished);
        }

        /** The same fence with the one write as it was; the raised token stays. */
        FenceState restoredIn(FenceState fence) {
            return new FenceState(fence.name(), fence.store(), fence.raised(), fence.attempt(), once, digest);
        }

        static Former parse(String text) {
            String[] parts = text.split(" ", 4);
            if (parts.length != 4) {
                throw new IllegalArgumentException("it does not say what was before the write that it names");
            }
            return new Former(
                    parts[0].equals(NONE) ? null : TargetKind.of(parts[0]),
                    parts[1].equals(NONE) ? null : FencingToken.parse(parts[1]),
                    parts[2].equals(NONE) ? null : parts[2],
                    parts[3].equals(NONE) ? null : Unfinished.parse(parts[3]));
        }

        @Override
        public String toString() {
            return text(kind) + " " + text(once) + " " + text(digest) + " " + text(unfinished);
        }

        private static String text(@Nullable Object value) {
            return value == null ? NONE : value.toString();
        }
    }

    /** One target is written in one way: the fence of another could not tell what is whole. */
    void requireKind(TargetKind wanted, Path target) {
        if (kind != null && kind != wanted) {
            throw new WrongFenceException(target + " is guarded as " + kind.description()
                    + ": nothing was written. Use that for this target");
        }
    }

    DiskState with(FenceState other) {
        return new DiskState(other, pending, kind, unfinished, former);
    }

    DiskState with(@Nullable Unfinished other) {
        return new DiskState(fence, pending, kind, other, former);
    }

    /**
     * A write was decided. Who replaces all of a target ends what somebody left half done there.
     *
     * @param judged what the fence makes of the grant
     */
    DiskState deciding(FenceState judged, TargetKind written, String decision) {
        DiskState after = new DiskState(judged, decision, written, null, null);
        Former before = Former.of(this);
        return before.equals(Former.of(after)) ? after : new DiskState(judged, decision, written, null, before);
    }

    DiskState settled(@Nullable String stillPending) {
        return new DiskState(fence, stillPending, kind, unfinished, null);
    }

    /** Whether a crash left it open if the pending write used up its grant's one write. */
    boolean mayHaveUsedOnce() {
        return former != null
                && fence.raised().equals(fence.once())
                && !fence.raised().equals(former.once);
    }

    /** The pending write is given up: everything but the raised token is as before it. */
    DiskState withdrawn() {
        String left = kind == null || pending == null ? null : kind.withdraw(pending);
        if (left != null && left.equals(pending)) {
            return this;
        }
        return former == null
                ? new DiskState(fence, left, kind, unfinished, null)
                : new DiskState(former.restoredIn(fence), left, former.kind, former.unfinished, null);
    }

    String format() {
        return FenceText.write(HEADER, fence)
                .put("pending", pending)
                .put("kind", kind)
                .put("unfinished", unfinished)
                .put("former", former)
                .format();
    }

    static DiskState parse(String text) {
        Fields fields = Fields.parse(HEADER, text);
        String pending = fields.optional("pending", p -> p);
        TargetKind kind = fields.optional("kind", TargetKind::of);
        // Fences that are older than the kinds guard files.
        TargetKind known = kind == null && pending != null ? TargetKind.FILE : kind;
        return new DiskState(
                FenceText.read(fields),
                pending,
                known,
                fields.optional("unfinished", Unfinished::parse),
                fields.optional("former", Former::parse));
    }
}
