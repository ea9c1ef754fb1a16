package dev.leasehold.fence;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.NetworkFileSystems;
import dev.leasehold.internal.disk.ShortName;
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
 * The place where a guarded file or directory really is. A symbolic link is followed, and what it points to is guarded:
 * renaming over the link would replace the link and leave two artifacts. Only the link that a published directory consists
 * of is the target itself. A file with several hard links is refused, because the other names would go on showing the old
 * content.
 *
 * @param file the target itself
 * @param directory where it lies, and its fence beside it
 * @param mode who may do what with it; null if that is left to the umask
 */
record DiskTarget(Path file, Path directory, Found found, @Nullable Mode mode) {
    private static final int MAX_LINKS = 40;
    private static final int MAX_NAME_BYTES = 180;
    static final String STAGED = "-staged-";
    private static final String VERSIONS = "";

    /** What lies there now. */
    enum Found {
        NOTHING,
        FILE,
        DIRECTORY,
        /** A symbolic link that {@link FencedDirectory} made. */
        PUBLISHED
    }

    static DiskTarget resolve(Path path) {
        try {
            Path file = followLinks(path.toAbsolutePath());
            Path parent = file.getParent();
            if (parent == null || file.getFileName() == null) {
                throw new TargetUnavailableException(
                        path + " is a directory without a name of its own: nothing was written. Name what is in it");
            }
            if (!Files.isDirectory(parent)) {
                throw new TargetUnavailableException(
                        "the directory " + parent + " does not exist: nothing was written. Make it first");
            }
            Path directory = parent.toRealPath();
            Path real = directory.resolve(String.valueOf(file.getFileName()));
            return look(real, directory);
        } catch (IOException e) {
            throw new TargetUnavailableException("nothing was written: " + Disk.explain(e, path), e);
        }
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

    private static DiskTarget look(Path file, Path directory) throws IOException {
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

    /** For a kind of target that is one file. */
    void requireFile() {
        if (found == Found.DIRECTORY || found == Found.PUBLISHED) {
            throw new TargetUnavailableException(file + " is a directory: nothing was written. Name a file");
        }
    }

    /** Who may do what with a file, by numbers: looking up the names of users reads files, or asks a server. */
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

        /** What is right for a directory is too much for a file beside it. */
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
     * What a fence says was staged here. Whoever may write the fence may write anything into it, and whoever completes the
     * write may be somebody else: so it must not lead anywhere else.
     *
     * @param mark what a name that was staged for this kind of target has in it
     */
    static Path staged(Path directory, String name, String mark) {
        if (!name.contains(mark) || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
            throw new TargetUnavailableException(
                    "the fence names something that was not staged for it: nothing was written;"
                            + " restore it from a backup, or ask before you remove it");
        }
        return directory.resolve(name);
    }

    /** Where the versions of a published directory lie. */
    Path versions() {
        return directory.resolve(companion(file, VERSIONS));
    }

    private static String companion(Path file, String role) {
        // A file name may be as long as the system allows, and its companions are longer still.
        return "." + ShortName.of(String.valueOf(file.getFileName()), MAX_NAME_BYTES) + ".leasehold" + role;
    }

    /** For a file made beside the artifact: nobody may read it who cannot read the artifact, not even for a moment. */
    FileAttribute<?>[] creationAttributes() {
        return mode == null
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode.permissions())};
    }

    /** Gives the mode, and the owner as far as this user may: only root can give files away. */
    void giveArtifactsMode(Path to, boolean ownerMustWrite) throws IOException {
        if (mode == null) {
            return;
        }
        Mode now = Mode.read(to);
        Set<PosixFilePermission> wanted = EnumSet.copyOf(mode.permissions());
        if (!giveOwner(to, now, mode)) {
            // It would let in this user's own group, whom the artifact may have kept out.
            keepGroupTo(wanted, mode.permissions());
        }
        if (ownerMustWrite) {
            wanted.add(PosixFilePermission.OWNER_READ);
            wanted.add(PosixFilePermission.OWNER_WRITE);
        }
        if (!wanted.equals(now.permissions())) {
            Files.setPosixFilePermissions(to, wanted);
        }
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
    private static boolean giveOwner(Path to, Mode now, Mode wanted) {
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
