package dev.leasehold.simulator.disk;

import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The directory itself, a file in it, or a bare name. */
final class DiskPath implements Path {
    private final DiskFileSystem mount;
    private final String name;
    private final boolean absolute;

    DiskPath(DiskFileSystem mount, String name, boolean absolute) {
        this.mount = mount;
        this.name = name;
        this.absolute = absolute;
    }

    static DiskPath of(Path path) {
        if (path instanceof DiskPath ours) {
            return ours;
        }
        throw new IllegalArgumentException(path + " is on another disk");
    }

    DiskFileSystem mount() {
        return mount;
    }

    boolean isDirectory() {
        return name.isEmpty();
    }

    String name() {
        return name;
    }

    @Override
    public DiskFileSystem getFileSystem() {
        return mount;
    }

    @Override
    public boolean isAbsolute() {
        return absolute;
    }

    @Override
    public @Nullable Path getRoot() {
        return absolute ? mount.root() : null;
    }

    @Override
    public @Nullable Path getFileName() {
        return isDirectory() ? null : new DiskPath(mount, name, false);
    }

    @Override
    public @Nullable Path getParent() {
        return absolute && !isDirectory() ? mount.root() : null;
    }

    @Override
    public int getNameCount() {
        return isDirectory() ? 0 : 1;
    }

    @Override
    public Path getName(int index) {
        return Objects.requireNonNull(getFileName());
    }

    @Override
    public Path subpath(int from, int to) {
        return getName(from);
    }

    @Override
    public boolean startsWith(Path other) {
        return equals(other) || (absolute && other.equals(mount.root()));
    }

    @Override
    public boolean endsWith(Path other) {
        return equals(other) || other.equals(getFileName());
    }

    @Override
    public Path normalize() {
        return this;
    }

    @Override
    public Path resolve(Path other) {
        return other.isAbsolute() ? other : new DiskPath(mount, of(other).name, absolute);
    }

    @Override
    public Path relativize(Path other) {
        return new DiskPath(mount, of(other).name, false);
    }

    @Override
    public URI toUri() {
        return URI.create("simulated:/" + name);
    }

    @Override
    public Path toAbsolutePath() {
        return new DiskPath(mount, name, true);
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return toAbsolutePath();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] kinds, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("watching is not supported");
    }

    @Override
    public int compareTo(Path other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DiskPath that
                && mount == that.mount
                && absolute == that.absolute
                && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(mount, name);
    }

    @Override
    public String toString() {
        return absolute ? "/" + name : name;
    }
}
