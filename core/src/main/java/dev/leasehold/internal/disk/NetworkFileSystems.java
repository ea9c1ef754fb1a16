package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Knows the file systems that may drop the lock of a paused client. */
public final class NetworkFileSystems {
    private static final Set<String> LOCKS_MAY_VANISH =
            Set.of("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "9p", "virtiofs", "ceph", "afpfs", "webdav");

    private NetworkFileSystems() {}

    public static Optional<String> reasonToDoubt(Path directory) {
        try {
            String type = Files.getFileStore(directory).type().toLowerCase(Locale.ROOT);
            return LOCKS_MAY_VANISH.contains(type) || type.startsWith("fuse")
                    ? Optional.of(directory + " is on " + type + ", which may drop the lock of a paused client")
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of("the file system of " + directory + " is unknown");
        }
    }
}
