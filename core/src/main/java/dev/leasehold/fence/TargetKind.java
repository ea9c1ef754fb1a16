package dev.leasehold.fence;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a target on a disk is, and how a write that its fence has decided is put in place. */
enum TargetKind {
    FILE("file", "a file that is replaced whole, by 'leasehold write'") {
        @Override
        void complete(FenceStep step) throws IOException {
            StagedFile.complete(step);
        }

        @Override
        boolean isPending(DiskTarget target, DiskState state) throws IOException {
            return StagedFile.isStaged(target, state);
        }
    },
    DIRECTORY("directory", "a published directory, by 'leasehold publish'") {
        @Override
        void complete(FenceStep step) throws IOException {
            StagedTree.complete(step);
        }
    },
    LOG("log", "a log, by 'leasehold append'") {
        @Override
        void complete(FenceStep step) throws IOException {
            LogTail.complete(step);
        }

        @Override
        boolean isPending(DiskTarget target, DiskState state) {
            String pending = state.pending();
            return pending != null && LogTail.parse(pending).isOwed();
        }

        @Override
        @Nullable
        String withdraw(String pending) {
            return LogTail.parse(pending).withdrawn();
        }
    };

    private final String word;
    private final String description;

    TargetKind(String word, String description) {
        this.word = word;
        this.description = description;
    }

    static TargetKind of(String word) {
        for (TargetKind kind : values()) {
            if (kind.word.equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("its kind of target is not known to this version");
    }

    /**
     * Puts the pending write in place. Safe to repeat, because a crash can come after any
     * part of it.
     */
    abstract void complete(FenceStep step) throws IOException;

    /** Whether a decided write is not known to be in place. */
    boolean isPending(DiskTarget target, DiskState state) throws IOException {
        return state.pending() != null;
    }

    /** What stays pending when the last decided write is given up; null for nothing. */
    @Nullable
    String withdraw(String pending) {
        return null;
    }

    String description() {
        return description;
    }

    @Override
    public String toString() {
        return word;
    }
}
