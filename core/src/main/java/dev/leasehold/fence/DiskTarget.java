package dev.leasehold.fence;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.FileNames;
import dev.leasehold.internal.disk.NetworkFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The real location of a guarded file or directory. Symbolic links are followed and what they point
 * to is guarded, because renaming over a link would replace the link and leave two artifacts. The
 * link that {@link FencedDirectory} made is not followed: it is the target. A file with several
 * hard links is refused, because its other names would keep the old content.
 *
 * @param file the target
 * @param directory the directory of the target and of its fence
 * @param mode the owner and permissions of the target; null if it does not exist, so that the
 *     umask decides
 */
record DiskTarget(Path file, Path directory, Found found, @Nullable Mode mode) {
    private static final int MAX_LINKS = 40;
    private static final int MAX_NAME_BYTES = 180;
    static final String STAGED = "-staged-";

    /** For messages about a damaged fence. */
    static final String RESTORE =
            "Restore the fence from a backup. Do not delete it: old tokens would be admitted again";

    private static final String VERSIONS = "";

    /** What exists there now. */
    enum Found {
        NOTHING,
        FILE,
        DIRECTORY,
        /** A symbolic link that {@link FencedDirectory} made. */
        PUBLISHED
    }

    static DiskTarget resolve(Path path) {
        try {
            Path file = followLinks(named(path.toAbsolutePath()));
            Path parent = file.getParent();
            if (parent == null || file.getFileName() == null) {
                throw new TargetUnavailableException(
                        path + " is a directory without a name: nothing was written. Name a file or directory in it");
            }
            if (!Files.isDirectory(parent)) {
                throw new TargetUnavailableException(
                        "the directory " + parent + " does not exist: nothing was written. Create it first");
            }
            Path directory = parent.toRealPath();
            Path real = directory.resolve(String.valueOf(file.getFileName()));
            return inspect(real, directory);
        } catch (IOException e) {
            throw new TargetUnavailableException("nothing was written: " + Disk.explain(e, path), e);
        }
    }

    /** A path that ends in . or .. names a directory that has another name, and one fence. */
    private static Path named(Path path) throws IOException {
        String last = String.valueOf(path.getFileName());
        return last.equals(".") || last.equals("..") ? path.toRealPath() : path;
    }

    private static Path followLinks(Path path) throws IOException {
        Path at = path;
        for (int i = 0; i < MAX_LINKS; i++) {
            if (!Disk.isSymbolicLink(at) || isPublished(at)) {
                return at;
            }
            at = at.resolveSibling(Files.readSymbolicLink(at));
        }
        throw new TargetUnavailableException(path + " is a loop of symbolic links: nothing was written");
    }

    private static boolean isPublished(Path link) throws IOException {
        Path versions = Files.readSymbolicLink(link).getParent();
        return versions != null && versions.toString().equals(companion(link, VERSIONS));
    }

    private static DiskTarget inspect(Path file, Path directory) throws IOException {
        Map<String, Object> found;
        try {
            found = Files.readAttributes(
                    file,
                    Mode.ATTRIBUTES + ",nlink,isRegularFile,isDirectory,isSymbolicLink",
                    LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return new DiskTarget(file, directory, Found.NOTHING, null);
        }
        if (Boolean.TRUE.equals(found.get("isRegularFile"))) {
            if (found.get("nlink") instanceof Integer links && links > 1) {
                throw new TargetUnavailableException(
                        file + " has several hard links: nothing was written, because the other"
                                + " names would keep the old content. Give it one name");
            }
            return new DiskTarget(file, directory, Found.FILE, Mode.of(found));
        }
        if (Boolean.TRUE.equals(found.get("isDirectory"))) {
            return new DiskTarget(
                    file, directory, Found.DIRECTORY, Mode.of(found).withoutExecution());
        }
        if (Boolean.TRUE.equals(found.get("isSymbolicLink"))) {
            return new DiskTarget(file, directory, Found.PUBLISHED, null);
        }
        throw new TargetUnavailableException(file + " is not a regular file: nothing was written. Name a file");
    }

    /** @throws TargetUnavailableException if this is a directory */
    void requireFile() {
        if (found == Found.DIRECTORY || found == Found.PUBLISHED) {
            throw new TargetUnavailableException(file + " is a directory: nothing was written. Name a file");
        }
    }

    /**
     * Owner, group and permissions. Numeric, because looking up user names reads files or
     * asks a server.
     */
    record Mode(int uid, int gid, Set<PosixFilePermission> permissions) {
        private static final String ATTRIBUTES = "unix:uid,gid,permissions";

        static Mode read(Path file) throws IOException {
            return of(Files.readAttributes(file, ATTRIBUTES));
        }

        @SuppressWarnings("unchecked")
        static Mode of(Map<String, Object> found) {
            Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
            permissions.addAll((Set<PosixFilePermission>) Objects.requireNonNull(found.get("permissions")));
            return new Mode(
                    (Integer) Objects.requireNonNull(found.get("uid")),
                    (Integer) Objects.requireNonNull(found.get("gid")),
                    permissions);
        }

        /** The mode of a directory without its execute bits, for a file beside it. */
        Mode withoutExecution() {
            permissions.remove(PosixFilePermission.OWNER_EXECUTE);
            permissions.remove(PosixFilePermission.GROUP_EXECUTE);
            permissions.remove(PosixFilePermission.OTHERS_EXECUTE);
            return this;
        }
    }

    Path fence() {
        return directory.resolve(companion(file, "-fence"));
    }

    Path staged(String id) {
        return directory.resolve(stagedPrefix() + id);
    }

    String stagedPrefix() {
        return companion(file, STAGED);
    }

    /**
     * The path of a staged name that a fence contains. The fence may be written by another user
     * than the one who completes the write, so the name must not lead out of the directory.
     *
     * @param mark what every staged name of this kind of target contains
     */
    static Path staged(Path directory, String name, String mark) {
        if (!name.contains(mark) || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
            throw new TargetUnavailableException(
                    "the fence is damaged, it names a file that was not staged for it: nothing was written. "
                            + RESTORE);
        }
        return directory.resolve(name);
    }

    /** The directory that holds the versions of a published directory. */
    Path versions() {
        return directory.resolve(companion(file, VERSIONS));
    }

    private static String companion(Path file, String role) {
        // Shortened, because the name may already have the maximum length.
        return "." + FileNames.shorten(String.valueOf(file.getFileName()), MAX_NAME_BYTES) + ".leasehold" + role;
    }

    /**
     * The attributes of files created beside the artifact: at no moment are they readable by more
     * users than the artifact.
     */
    FileAttribute<?>[] creationAttributes() {
        return mode == null
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode.permissions())};
    }

    /**
     * Copies the mode of the artifact, and its owner as far as permitted: only root can give
     * files away.
     */
    void copyModeTo(Path to, boolean ownerMustWrite) throws IOException {
        if (mode == null) {
            return;
        }
        Mode now = Mode.read(to);
        Set<PosixFilePermission> wanted = EnumSet.copyOf(mode.permissions());
        if (!copyOwner(to, now, mode)) {
            // The file has this user's group, which may have fewer rights on the artifact.
            restrictGroup(wanted, mode.permissions());
        }
        if (ownerMustWrite) {
            wanted.add(PosixFilePermission.OWNER_READ);
            wanted.add(PosixFilePermission.OWNER_WRITE);
        }
        if (!wanted.equals(now.permissions())) {
            Files.setPosixFilePermissions(to, wanted);
        }
    }

    /**
     * Updates the mode of a fence after the artifact's mode changed, if this user owns the fence.
     */
    void tryCopyModeTo(Path fence) {
        try {
            copyModeTo(fence, true);
        } catch (IOException e) {
            // Another user owns the fence. A writer without access to the fence gets an error that
            // says so.
        }
    }

    /**
     * Returns whether the group is right. A different owner is acceptable: replacing a file changes
     * its owner.
     */
    private static boolean copyOwner(Path to, Mode now, Mode wanted) {
        boolean sameGroup = now.gid == wanted.gid;
        try {
            if (!sameGroup) {
                Files.setAttribute(to, "unix:gid", wanted.gid);
                sameGroup = true;
            }
            if (now.uid != wanted.uid) {
                Files.setAttribute(to, "unix:uid", wanted.uid);
            }
        } catch (IOException e) {
            return sameGroup;
        }
        return true;
    }

    private static void restrictGroup(Set<PosixFilePermission> mode, Set<PosixFilePermission> artifacts) {
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

    /** Why the check can be evaded on this file system, if it can. */
    Optional<String> weakness() {
        return NetworkFileSystems.reasonToDoubt(directory).map(reason -> "best effort: " + reason);
    }
}
