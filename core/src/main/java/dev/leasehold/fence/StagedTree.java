package dev.leasehold.fence;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.Trees;
import dev.leasehold.model.FencingToken;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A tree copied to {@code .NAME.leasehold/s-ID}, durable and not yet published. After the commit
 * point it is renamed to {@code v-NUMBER-ID}, where the number rises with every version, and the
 * link is switched to it. A version to delete is first renamed to {@code d-NUMBER-ID}, because
 * deleting is slow and needs no lock.
 */
final class StagedTree implements Staged {
    private static final String STAGED = "s-";
    private static final String VERSION = "v-";
    private static final String OBSOLETE = "d-";

    private final Path path;
    private final String id;
    private final String digest;
    private final int kept;
    private final List<Path> obsolete = new ArrayList<>();

    private StagedTree(Path path, String id, String digest, int kept) {
        this.path = path;
        this.id = id;
        this.digest = digest;
        this.kept = kept;
    }

    static StagedTree copy(DiskTarget target, Ids ids, Path tree, boolean withDigest, int kept, LongConsumer progress)
            throws IOException {
        Path source = requireSource(target, tree);
        try {
            Files.createDirectory(target.versions());
        } catch (FileAlreadyExistsException e) {
            // An earlier write created it.
        }
        String id = ids.unique();
        Path path = target.versions().resolve(STAGED + id);
        boolean done = false;
        try {
            String digest = new TreeCopy(source, path, withDigest, progress).run();
            done = true;
            return new StagedTree(path, id, digest, kept);
        } finally {
            if (!done) {
                Trees.delete(path);
            }
        }
    }

    static void requireSuitable(DiskTarget target) {
        if (target.found() == DiskTarget.Found.DIRECTORY) {
            throw new TargetUnavailableException(
                    target.file() + " is an ordinary directory, which cannot be replaced in"
                            + " one step: nothing was published. Move it away once (mv "
                            + target.file().getFileName() + " "
                            + target.file().getFileName() + ".before), then publish");
        }
        if (target.found() == DiskTarget.Found.FILE) {
            throw new TargetUnavailableException(
                    target.file()
                            + " is a file: nothing was published. Name a published directory, or a name that does not exist yet");
        }
    }

    private static Path requireSource(DiskTarget target, Path tree) throws IOException {
        Path source;
        try {
            source = tree.toRealPath();
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(tree + " does not exist: nothing was published", e);
        }
        if (!Disk.isDirectoryNoFollow(source)) {
            throw new IllegalArgumentException(tree + " is not a directory: nothing was published");
        }
        if (target.file().startsWith(source)) {
            throw new IllegalArgumentException(target.file() + " lies inside " + tree
                    + ": nothing was published, because the copy would contain itself");
        }
        boolean inside = source.startsWith(target.versions());
        boolean version = inside
                && target.versions().equals(source.getParent())
                && String.valueOf(source.getFileName()).startsWith(VERSION);
        if (inside && !version) {
            throw new IllegalArgumentException(tree + " lies inside " + target.file()
                    + ": nothing was published. Publish another directory, or a whole kept version");
        }
        return source;
    }

    @Override
    public String digest() {
        return digest;
    }

    @Override
    public String prepare(FenceStep step, boolean once) throws IOException {
        if (!Disk.isDirectoryNoFollow(path)) {
            throw new TargetUnavailableException("nothing was published: another program removed " + path);
        }
        // The names of the tree and of its directory must be durable before the fence refers
        // to them.
        Disk.syncDirectory(step.target().versions());
        Disk.syncDirectory(step.target().directory());
        return VERSION + step.nextSequence() + "-" + id;
    }

    @Override
    public void put(FenceStep step) throws IOException {
        publish(step);
    }

    /** Completes a pending write after a crash. */
    static void complete(FenceStep step) throws IOException {
        publish(step);
        finishLink(step);
    }

    private static void publish(FenceStep step) throws IOException {
        DiskTarget target = step.target();
        String name = String.valueOf(step.state().pending());
        Path version = DiskTarget.staged(target.versions(), name, VERSION);
        Path staged = target.versions().resolve(STAGED + name.substring(name.lastIndexOf('-') + 1));
        if (Disk.existsNoFollow(target.file()) && !Disk.isSymbolicLink(target.file())) {
            throw new FileSystemException(
                    target.file().toString(),
                    null,
                    "another program put something else there, which is left unchanged");
        }
        step.prepareToAct();
        if (Disk.isDirectoryNoFollow(staged)) {
            Files.move(staged, version, StandardCopyOption.ATOMIC_MOVE);
            Disk.syncDirectory(target.versions());
        }
        if (!Disk.isDirectoryNoFollow(version)) {
            throw new NoSuchFileException(version.toString());
        }
        Path link = target.staged("link");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, target.directory().relativize(version));
        Files.move(link, target.file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void finishLink(FenceStep step) throws IOException {
        Disk.syncDirectory(step.target().directory());
        // From here on the link decides what is published, so a person may switch it back by hand. The
        // fence remembers the link, to notice that.
        DiskState done = step.state().withPendingDone(null);
        FencingToken token = done.fence().raised();
        step.replace(done.with(done.placement()
                .written(Placement.Artifact.of(token, step.target().file()))));
    }

    @Override
    public void undo(FenceStep step) throws IOException {
        // Only published trees may be named as versions.
        Path version =
                step.target().versions().resolve(String.valueOf(step.state().pending()));
        if (Disk.isDirectoryNoFollow(version)) {
            Files.move(version, path, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    @Override
    public void finish(FenceStep step) throws IOException {
        finishLink(step);
        try {
            markSurplus(step);
        } catch (IOException | DirectoryIteratorException e) {
            // The tree is published, which is what counts. The next write cleans up.
        }
    }

    /** Marks surplus versions and the leftovers of dead writers for deletion. */
    private void markSurplus(FenceStep step) throws IOException {
        DiskTarget target = step.target();
        Path published = Files.readSymbolicLink(target.file()).getFileName();
        Instant now = step.openedAt();
        List<Path> earlier = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(target.versions())) {
            for (Path found : all) {
                String name = String.valueOf(found.getFileName());
                if (name.startsWith(VERSION) && !found.getFileName().equals(published)) {
                    earlier.add(found);
                } else if (name.startsWith(OBSOLETE)) {
                    obsolete.add(found);
                } else if (name.startsWith(STAGED) && FencedPath.isAbandoned(found, now)) {
                    markObsolete(found, name.substring(STAGED.length()));
                }
            }
        }
        earlier.sort(Comparator.comparingLong(StagedTree::number).reversed());
        for (Path version : earlier.subList(Math.min(kept, earlier.size()), earlier.size())) {
            markObsolete(version, String.valueOf(version.getFileName()).substring(VERSION.length()));
        }
    }

    private void markObsolete(Path tree, String rest) throws IOException {
        Path to = tree.resolveSibling(OBSOLETE + rest);
        Files.move(tree, to, StandardCopyOption.ATOMIC_MOVE);
        obsolete.add(to);
    }

    private static long number(Path version) {
        String name = String.valueOf(version.getFileName());
        int end = name.indexOf('-', VERSION.length());
        try {
            return Long.parseLong(name, VERSION.length(), end < 0 ? name.length() : end, 10);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @Override
    public void cleanUp() {
        obsolete.forEach(Trees::delete);
    }

    @Override
    public void discard() {
        Trees.delete(path);
    }
}
