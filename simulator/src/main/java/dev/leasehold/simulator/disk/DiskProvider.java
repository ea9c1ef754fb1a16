package dev.leasehold.simulator.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The system calls. The process may pause or die in each of them. */
final class DiskProvider extends FileSystemProvider {
    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-r--r--");

    private static SimulatedDisk enter(Path path) {
        DiskFileSystem mount = DiskPath.of(path).mount();
        mount.process().enter();
        return mount.disk();
    }

    private static SystemCalls process(Path path) {
        return DiskPath.of(path).mount().process();
    }

    private static String name(Path path) {
        return DiskPath.of(path).name();
    }

    @Override
    public String getScheme() {
        return "simulated";
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        SimulatedDisk disk = enter(path);
        if (DiskPath.of(path).isDirectory()) {
            return new DiskChannel(disk, process(path), null);
        }
        Inode inode = options.contains(StandardOpenOption.CREATE_NEW)
                ? disk.create(process(path), name(path))
                : disk.find(name(path));
        return new DiskChannel(disk, process(path), inode);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        SimulatedDisk disk = enter(link);
        disk.link(process(link), name(link), disk.find(name(existing)));
    }

    @Override
    public void delete(Path path) throws IOException {
        enter(path).remove(name(path));
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        enter(source).rename(process(source), name(source), name(target));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        SimulatedDisk disk = enter(path);
        if (!DiskPath.of(path).isDirectory()) {
            disk.find(name(path));
        }
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return type.cast(attributes(path));
    }

    /** All files have the same mode, so that no code has to change it. */
    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        DiskAttributes found = attributes(path);
        return Map.of(
                "uid",
                0,
                "gid",
                0,
                "permissions",
                MODE,
                "nlink",
                found.links(),
                "isRegularFile",
                found.isRegularFile(),
                "isDirectory",
                found.isDirectory(),
                "isSymbolicLink",
                false);
    }

    private static DiskAttributes attributes(Path path) throws IOException {
        SimulatedDisk disk = enter(path);
        return DiskPath.of(path).isDirectory() ? DiskAttributes.OF_DIRECTORY : disk.attributes(name(path));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> found = new ArrayList<>();
        for (String name : enter(directory).names()) {
            Path path = directory.resolve(name);
            if (filter.accept(path)) {
                found.add(path);
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return found.iterator();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public boolean isSameFile(Path one, Path other) {
        return one.equals(other);
    }

    @Override
    public boolean isHidden(Path path) {
        return name(path).startsWith(".");
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return null;
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public Path getPath(URI uri) {
        throw DiskFileSystem.unsupported();
    }
}
