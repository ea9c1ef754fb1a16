package dev.leasehold.guard;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.NetworkFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place where a guarded file really is. A symbolic link is followed, and the file it points to is replaced: renaming
 * over the link would replace the link and leave two artifacts. A file with several hard links is refused, because the
 * other names would go on showing the old content.
 */
record FileTarget(Path file, Path directory, @Nullable PosixFileAttributes attributes) {
    private static final int MAX_LINKS = 40;
    private static final int MAX_NAME_KEPT = 150;

    static FileTarget resolve(Path path) {
        try {
            Path file = followLinks(path.toAbsolutePath());
            Path parent = file.getParent();
            if (parent == null || file.getFileName() == null) {
                throw new TargetUnavailableException(path + " is a directory: nothing was written. Name a file");
            }
            if (!Files.isDirectory(parent)) {
                throw new TargetUnavailableException(
                        "the directory " + parent + " does not exist: nothing was written. Make it first");
            }
            Path directory = parent.toRealPath();
            Path real = directory.resolve(String.valueOf(file.getFileName()));
            return new FileTarget(real, directory, attributesOf(real));
        } catch (IOException e) {
            throw new TargetUnavailableException("nothing was written: " + Disk.explain(e, path), e);
        }
    }

    private static Path followLinks(Path path) throws IOException {
        Path at = path;
        for (int i = 0; i < MAX_LINKS; i++) {
            if (!Files.isSymbolicLink(at)) {
                return at;
            }
            at = at.resolveSibling(Files.readSymbolicLink(at));
        }
        throw new TargetUnavailableException(path + " is a loop of symbolic links: nothing was written");
    }

    private static @Nullable PosixFileAttributes attributesOf(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new TargetUnavailableException(
                    file + (Files.isDirectory(file) ? " is a directory" : " is not a regular file")
                            + ": nothing was written. Name a file");
        }
        if ((Integer) Files.getAttribute(file, "unix:nlink") > 1) {
            throw new TargetUnavailableException(
                    file + " has several hard links: nothing was written, because the other"
                            + " names would keep the old content. Give it one name");
        }
        return Files.readAttributes(file, PosixFileAttributes.class);
    }

    Path fence() {
        return directory.resolve(companion("fence"));
    }

    Path staged(String id) {
        return directory.resolve(stagedPrefix() + id);
    }

    String stagedPrefix() {
        return companion("staged-");
    }

    private String companion(String role) {
        String name = String.valueOf(file.getFileName());
        // A file name may be as long as the system allows, and its companions are longer still.
        String kept = name.length() <= MAX_NAME_KEPT
                ? name
                : name.substring(0, MAX_NAME_KEPT) + "-" + Integer.toHexString(name.hashCode());
        return "." + kept + ".leasehold-" + role;
    }

    /** For a file made beside the artifact: nobody may read it who cannot read the artifact, not even for a moment. */
    FileAttribute<?>[] creationAttributes() {
        return attributes == null
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(attributes.permissions())};
    }

    /** Gives the mode exactly, and the owner as far as this user may: only root can give files away. */
    void giveArtifactsMode(Path to, boolean ownerMustWrite) throws IOException {
        if (attributes == null) {
            return;
        }
        PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        PosixFileAttributes now = view.readAttributes();
        if (!now.owner().equals(attributes.owner()) || !now.group().equals(attributes.group())) {
            try {
                view.setGroup(attributes.group());
                view.setOwner(attributes.owner());
            } catch (IOException e) {
                // Not allowed to: the mode below still keeps out whom the artifact kept out.
            }
        }
        Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
        mode.addAll(attributes.permissions());
        if (ownerMustWrite) {
            mode.add(PosixFilePermission.OWNER_READ);
            mode.add(PosixFilePermission.OWNER_WRITE);
        }
        view.setPermissions(mode);
    }

    /** Why the check can be evaded here, if it can. */
    Optional<String> weakness() {
        return NetworkFileSystems.reasonToDoubt(directory).map(reason -> "best effort: " + reason);
    }
}
