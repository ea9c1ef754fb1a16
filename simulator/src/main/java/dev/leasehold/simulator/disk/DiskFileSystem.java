package dev.leasehold.simulator.disk;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/**
 * The disk as one process sees it. Paths of different processes are never equal, so state that is
 * kept by path is separate for each process.
 */
final class DiskFileSystem extends FileSystem {
    private static final DiskProvider PROVIDER = new DiskProvider();

    private final SimulatedDisk disk;
    private final SystemCalls process;

    DiskFileSystem(SimulatedDisk disk, SystemCalls process) {
        this.disk = disk;
        this.process = process;
    }

    SimulatedDisk disk() {
        return disk;
    }

    SystemCalls process() {
        return process;
    }

    DiskPath root() {
        return new DiskPath(this, "", true);
    }

    @Override
    public FileSystemProvider provider() {
        return PROVIDER;
    }

    @Override
    public Path getPath(String first, String... more) {
        if (more.length > 0 || first.lastIndexOf('/') > 0) {
            throw new IllegalArgumentException("there is only one directory");
        }
        return first.startsWith("/") ? new DiskPath(this, first.substring(1), true) : new DiskPath(this, first, false);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(root());
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic", "unix");
    }

    @Override
    public void close() {}

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        throw unsupported();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw unsupported();
    }

    @Override
    public WatchService newWatchService() {
        throw unsupported();
    }

    static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("the simulated disk does not support this");
    }
}
