package dev.leasehold.fence;

import dev.leasehold.internal.Sha256;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.FencingToken;
import dev.leasehold.spi.Ids;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A staged file beside its target, durable and with the target's mode. */
record StagedFile(Path path, String digest) implements Staged {
    private static final int BUFFER = 64 * 1024;

    static StagedFile write(DiskTarget target, Ids ids, Content content, boolean withDigest) throws IOException {
        try (Writing writing = Writing.begin(target, ids)) {
            String digest = "";
            if (withDigest) {
                MessageDigest sha = Sha256.digest();
                content.writeTo(new DigestOutputStream(writing.out, sha));
                digest = HexFormat.of().formatHex(sha.digest());
            } else {
                content.writeTo(writing.out);
            }
            return writing.finish(digest);
        }
    }

    /** A staged file that is being written. Closing it before {@link #finish} deletes it. */
    static final class Writing implements AutoCloseable {
        private final DiskTarget target;
        private final Path path;
        private final FileChannel channel;
        private final OutputStream out;
        private boolean finished;

        private Writing(DiskTarget target, Path path, FileChannel channel) {
            this.target = target;
            this.path = path;
            this.channel = channel;
            this.out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
        }

        static Writing begin(DiskTarget target, Ids ids) throws IOException {
            Path path = target.staged(ids.unique());
            return new Writing(target, path, Disk.createNew(path, target.creationAttributes()));
        }

        OutputStream out() {
            return out;
        }

        StagedFile finish(String digest) throws IOException {
            out.flush();
            target.copyModeTo(path, false);
            channel.force(true);
            finished = true;
            return new StagedFile(path, digest);
        }

        @Override
        public void close() throws IOException {
            channel.close();
            if (!finished) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Override
    public String prepare(FenceStep step, boolean once) throws IOException {
        requirePresent();
        if (once) {
            // Otherwise a power cut could lose the name of the staged file and use up
            // the one write.
            Disk.syncDirectory(step.target().directory());
        }
        return name();
    }

    /** A rename keeps the size and the modification time. */
    @Override
    public Placement.@Nullable Artifact placed(FencingToken token) throws IOException {
        return Placement.Artifact.of(token, path);
    }

    String name() {
        return String.valueOf(path.getFileName());
    }

    void requirePresent() throws IOException {
        if (!Disk.existsNoFollow(path)) {
            throw new TargetUnavailableException("nothing was written: another program removed " + path);
        }
    }

    @Override
    public void put(FenceStep step) throws IOException {
        move(step, path);
    }

    @Override
    public void finish(FenceStep step) throws IOException {
        Disk.syncDirectory(step.target().directory());
        if (step.state().former() != null) {
            step.markDone(null);
        }
    }

    /** Whether the pending write of a file is not in place yet. */
    static boolean isStaged(DiskTarget target, DiskState state) throws IOException {
        String pending = state.pending();
        return pending != null
                && Disk.existsNoFollow(DiskTarget.staged(target.directory(), pending, DiskTarget.STAGED));
    }

    /** Completes a pending write after a crash. */
    static void complete(FenceStep step) throws IOException {
        DiskTarget target = step.target();
        DiskState state = step.state();
        Path pending = DiskTarget.staged(target.directory(), String.valueOf(state.pending()), DiskTarget.STAGED);
        if (Disk.existsNoFollow(pending)) {
            move(step, pending);
        } else if (state.mayHaveUsedOnce() && !isInPlace(target, state.fence().digest())) {
            // Another program removed the staged file before it was put in place.
            throw new NoSuchFileException(pending.toString());
        } else if (state.former() == null) {
            return;
        }
        new StagedFile(pending, "").finish(step);
    }

    private static void move(FenceStep step, Path staged) throws IOException {
        DiskTarget target = step.target();
        // The fence must be durable before the file is replaced, so that it is never below
        // what was written.
        step.prepareToAct();
        Files.move(staged, target.file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isInPlace(DiskTarget target, @Nullable String digest) throws IOException {
        MessageDigest sha = Sha256.digest();
        try (InputStream in = Files.newInputStream(target.file(), LinkOption.NOFOLLOW_LINKS)) {
            in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), sha));
        } catch (NoSuchFileException e) {
            return false;
        }
        return HexFormat.of().formatHex(sha.digest()).equals(digest);
    }

    @Override
    public void discard() {
        Disk.deleteQuietly(path);
    }
}
