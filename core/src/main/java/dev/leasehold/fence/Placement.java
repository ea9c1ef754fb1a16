package dev.leasehold.fence;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.model.FencingToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a fence knows about the file, or the link to a published directory, that it put in place.
 * From this, the next step notices a program that changed it without Leasehold.
 *
 * @param now the file after its last write; null if that is not known
 * @param before the file before that write. It is still there if a crash lost the write
 * @param changes how often another program changed the file
 * @param last when the last such change was noticed
 */
record Placement(@Nullable Artifact now, @Nullable Artifact before, long changes, @Nullable Instant last) {
    static final Placement NONE = new Placement(null, null, 0, null);

    /**
     * A file at one moment.
     *
     * @param token the token that wrote it
     * @param modified its modification time in nanoseconds
     */
    record Artifact(FencingToken token, long size, long modified) {
        /** Null if there is no file. */
        static @Nullable Artifact of(FencingToken token, Path file) throws IOException {
            try {
                BasicFileAttributes found =
                        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                return new Artifact(
                        token, found.size(), found.lastModifiedTime().to(TimeUnit.NANOSECONDS));
            } catch (NoSuchFileException e) {
                return null;
            }
        }

        boolean isSame(@Nullable Artifact other) {
            return other != null && size == other.size && modified == other.modified;
        }
    }

    /** The placement if this file is there now. A change by another program is counted once. */
    Placement seen(@Nullable Artifact found, Instant at) {
        return isUntouched(found) ? this : new Placement(found, null, changes + 1, at);
    }

    boolean isUntouched(@Nullable Artifact found) {
        return now == null || now.isSame(found) || (before != null && before.isSame(found));
    }

    /** @param placed the file that is about to be put in place; null if it is not watched */
    Placement written(@Nullable Artifact placed) {
        return new Placement(placed, now, changes, last);
    }

    /** The placement of a file that is about to be changed in place. */
    Placement unknown() {
        return new Placement(null, null, changes, last);
    }

    /** The placement after the last write was given up. */
    Placement withdrawn() {
        return new Placement(before, null, changes, last);
    }

    /** The warning for the next user of the target. */
    String warning(Object target) {
        return target + " was changed by another program since token " + (now == null ? "?" : now.token)
                + " wrote it (" + (changes == 0 ? "the first change" : "change number " + (changes + 1))
                + " that its fence noticed)";
    }

    static Placement parse(String text) {
        Words words = new Words("the file in place", text);
        Artifact now = artifact(words);
        Artifact before = artifact(words);
        return new Placement(now, before, words.number(), words.optional(Fields::instant));
    }

    private static @Nullable Artifact artifact(Words words) {
        FencingToken token = words.optional(FencingToken::parse);
        return token == null ? null : new Artifact(token, words.number(), words.number());
    }

    @Override
    public String toString() {
        return Words.join(show(now), show(before), changes, last);
    }

    private static @Nullable String show(@Nullable Artifact artifact) {
        return artifact == null ? null : Words.join(artifact.token, artifact.size, artifact.modified);
    }
}
