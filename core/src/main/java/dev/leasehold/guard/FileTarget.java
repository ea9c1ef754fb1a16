package dev.leasehold.guard;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.NetworkFileSystems;
import dev.leasehold.internal.disk.ShortName;
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
    private static final int MAX_NAME_BYTES = 180;

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
        // A file name may be as long as the system allows, and its companions are longer still.
        return "." + ShortName.of(String.valueOf(file.getFileName()), MAX_NAME_BYTES) + ".leasehold-" + role;
    }

    /** For a file made beside the artifact: nobody may read it who cannot read the artifact, not even for a moment. */
    FileAttribute<?>[] creationAttributes() {
        return attributes == null
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(attributes.permissions())};
    }

    /** Gives the mode, and the owner as far as this user may: only root can give files away. */
    void giveArtifactsMode(Path to, boolean ownerMustWrite) throws IOException {
        if (attributes == null) {
            return;
        }
        PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
        mode.addAll(attributes.permissions());
        if (!giveOwner(view, attributes)) {
            // It would let in this user's own group, whom the artifact may have kept out.
            keepGroupTo(mode, attributes.permissions());
        }
        if (ownerMustWrite) {
            mode.add(PosixFilePermission.OWNER_READ);
            mode.add(PosixFilePermission.OWNER_WRITE);
        }
        view.setPermissions(mode);
    }

    /** For a fence that is older than the artifact's mode; only its owner can change it, and others need not. */
    void adoptMode(Path fence) {
        try {
            giveArtifactsMode(fence, true);
        } catch (IOException e) {
            // Not ours to change. Who may write the artifact but not the fence is told so when it tries.
        }
    }

    /** Whether the group is right; that the owner is another one is what replacing a file means. */
    private static boolean giveOwner(PosixFileAttributeView view, PosixFileAttributes wanted) throws IOException {
        PosixFileAttributes now = view.readAttributes();
        boolean sameGroup = now.group().equals(wanted.group());
        try {
            if (!sameGroup) {
                view.setGroup(wanted.group());
                sameGroup = true;
            }
            if (!now.owner().equals(wanted.owner())) {
                view.setOwner(wanted.owner());
            }
        } catch (IOException e) {
            return sameGroup;
        }
        return true;
    }

    private static void keepGroupTo(Set<PosixFilePermission> mode, Set<PosixFilePermission> artifacts) {
        if (!artifacts.contains(PosixFilePermission.OTHERS_READ)) {
            mode.remove(PosixFilePermission.GROUP_READ);
        }
        if (!artifacts.contains(PosixFilePermission.OTHERS_WRITE)) {
            mode.remove(PosixFilePermission.GROUP_WRITE);
        }
        if (!artifacts.contains(PosixFilePermission.OTHERS_EXECUTE)) {
            mode.remove(PosixFilePermission.GROUP_EXECUTE);
        }
    }

    /** Why the check can be evaded here, if it can. */
    Optional<String> weakness() {
        return NetworkFileSystems.reasonToDoubt(directory).map(reason -> "best effort: " + reason);
    }
}
