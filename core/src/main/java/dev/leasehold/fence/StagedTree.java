package dev.leasehold.fence;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.Trees;
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

/**
 * A tree copied to {@code .NAME.leasehold/s-ID}, durable and not yet published. Once it is decided it is renamed to {@code
 * v-NUMBER-ID}, where the number rises with every version, and the link is turned. What is to go is renamed to {@code
 * d-NUMBER-ID} first: deleting takes time, and needs no lock.
 */
final class StagedTree implements Staged {
    private static final String STAGED = "s-";
    private static final String VERSION = "v-";
    private static final String DOOMED = "d-";

    private final Path path;
    private final String id;
    private final String digest;
    private final int kept;
    private final List<Path> doomed = new ArrayList<>();

    private StagedTree(Path path, String id, String digest, int kept) {
        this.path = path;
        this.id = id;
        this.digest = digest;
        this.kept = kept;
    }

    static StagedTree copy(DiskTarget target, Ids ids, Path tree, boolean withDigest, int kept) throws IOException {
        Path source = requireSource(target, tree);
        try {
            Files.createDirectory(target.versions());
        } catch (FileAlreadyExistsException e) {
            // From an earlier version.
        }
        String id = ids.unique();
        Path path = target.versions().resolve(STAGED + id);
        boolean done = false;
        try {
            String digest = new TreeCopy(source, path, withDigest).run();
            done = true;
            return new StagedTree(path, id, digest, kept);
        } finally {
            if (!done) {
                Trees.delete(path);
            }
        }
    }

    static void requirePlace(DiskTarget target) {
        if (target.found() == DiskTarget.Found.DIRECTORY) {
            throw new TargetUnavailableException(target.file() + " is an ordinary directory, which no single step can"
                    + " replace: nothing was published. Move it away once (mv "
                    + target.file().getFileName() + " "
                    + target.file().getFileName() + ".before), then publish");
        }
        if (target.found() == DiskTarget.Found.FILE) {
            throw new TargetUnavailableException(target.file()
                    + " is a file: nothing was published. Name a directory, or one that is not there yet");
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
            throw new IllegalArgumentException(
                    target.file() + " lies inside " + tree + ": nothing was published, since it would contain itself");
        }
        boolean inside = source.startsWith(target.versions());
        boolean version = inside
                && target.versions().equals(source.getParent())
                && String.valueOf(source.getFileName()).startsWith(VERSION);
        if (inside && !version) {
            throw new IllegalArgumentException(tree + " lies inside " + target.file()
                    + ": nothing was published. Publish a directory of your own, or a whole version that was kept");
        }
        return source;
    }

    @Override
    public String digest() {
        return digest;
    }

    @Override
    public String decide(FenceStep step, boolean once) throws IOException {
        if (!Disk.isDirectoryNoFollow(path)) {
            throw new TargetUnavailableException("nothing was published: somebody removed " + path);
        }
        // The decision must not outlive what it is about: the tree's name, and the name of the directory it is in.
        Disk.syncDirectory(step.target().versions());
        Disk.syncDirectory(step.target().directory());
        return VERSION + step.nextSequence() + "-" + id;
    }

    @Override
    public void put(FenceStep step) throws IOException {
        publish(step);
    }

    /** After a crash. */
    static void complete(FenceStep step) throws IOException {
        publish(step);
        settleLink(step);
    }

    private static void publish(FenceStep step) throws IOException {
        DiskTarget target = step.target();
        String name = String.valueOf(step.state().pending());
        Path version = DiskTarget.staged(target.versions(), name, VERSION);
        Path staged = target.versions().resolve(STAGED + name.substring(name.lastIndexOf('-') + 1));
        if (Disk.existsNoFollow(target.file()) && !Disk.isSymbolicLink(target.file())) {
            throw new FileSystemException(
                    target.file().toString(), null, "somebody put something else there, which is left alone");
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

    private static void settleLink(FenceStep step) throws IOException {
        Disk.syncDirectory(step.target().directory());
        // From here on the link is what is published: whoever turns it back by hand is not overruled.
        step.settle(null);
    }

    @Override
    public void takeBack(FenceStep step) throws IOException {
        // What is called a version was published, and this one was not.
        Path version =
                step.target().versions().resolve(String.valueOf(step.state().pending()));
        if (Disk.isDirectoryNoFollow(version)) {
            Files.move(version, path, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    @Override
    public void settle(FenceStep step) throws IOException {
        settleLink(step);
        try {
            doomEarlier(step);
        } catch (IOException | DirectoryIteratorException e) {
            // It is published, and that is the answer. Whoever publishes next tidies up.
        }
    }

    /** Dooms the versions that are too many, and what dead writers left behind. */
    private void doomEarlier(FenceStep step) throws IOException {
        DiskTarget target = step.target();
        Path published = Files.readSymbolicLink(target.file()).getFileName();
        Instant now = step.openedAt();
        List<Path> earlier = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(target.versions())) {
            for (Path found : all) {
                String name = String.valueOf(found.getFileName());
                if (name.startsWith(VERSION) && !found.getFileName().equals(published)) {
                    earlier.add(found);
                } else if (name.startsWith(DOOMED)) {
                    doomed.add(found);
                } else if (name.startsWith(STAGED) && FencedPath.isAbandoned(found, now)) {
                    doom(found, name.substring(STAGED.length()));
                }
            }
        }
        earlier.sort(Comparator.comparingLong(StagedTree::number).reversed());
        for (Path version : earlier.subList(Math.min(kept, earlier.size()), earlier.size())) {
            doom(version, String.valueOf(version.getFileName()).substring(VERSION.length()));
        }
    }

    private void doom(Path tree, String rest) throws IOException {
        Path to = tree.resolveSibling(DOOMED + rest);
        Files.move(tree, to, StandardCopyOption.ATOMIC_MOVE);
        doomed.add(to);
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
    public void tidy() {
        doomed.forEach(Trees::delete);
    }

    @Override
    public void discard() {
        Trees.delete(path);
    }
}
