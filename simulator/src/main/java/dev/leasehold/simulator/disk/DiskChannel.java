package dev.leasehold.simulator.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** A file, or the directory, as one process has it open. */
final class DiskChannel extends FileChannel {
    private final SimulatedDisk disk;
    private final SystemCalls process;
    private final @Nullable Inode inode;
    private long position;

    /** @param inode null for the directory, which can only be synced */
    DiskChannel(SimulatedDisk disk, SystemCalls process, @Nullable Inode inode) {
        this.disk = disk;
        this.process = process;
        this.inode = inode;
    }

    private Inode file() throws IOException {
        if (inode == null) {
            throw new IOException("Is a directory");
        }
        return inode;
    }

    @Override
    public int read(ByteBuffer to, long from) throws IOException {
        process.enter();
        byte[] bytes = file().bytes();
        if (from >= bytes.length) {
            return -1;
        }
        int length = Math.min(to.remaining(), bytes.length - (int) from);
        to.put(bytes, (int) from, length);
        return length;
    }

    @Override
    public int write(ByteBuffer from, long to) throws IOException {
        process.enter();
        boolean needsSpace = to + from.remaining() > file().bytes().length;
        if (needsSpace && process.isFull()) {
            put(from, to, from.remaining() / 2);
            throw new IOException("No space left on device");
        }
        return put(from, to, from.remaining());
    }

    private int put(ByteBuffer from, long to, int length) throws IOException {
        byte[] data = new byte[length];
        from.get(data);
        file().write((int) to, data);
        disk.written(file());
        return length;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int read = read(to, position);
        position += Math.max(0, read);
        return read;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int written = write(from, position);
        position += written;
        return written;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long newPosition) {
        position = newPosition;
        return this;
    }

    @Override
    public long size() throws IOException {
        process.enter();
        return file().bytes().length;
    }

    @Override
    public void force(boolean metaData) {
        process.enter();
        process.waitForSync();
        if (inode == null) {
            disk.syncNames();
        } else {
            inode.force();
        }
    }

    @Override
    public @Nullable FileLock tryLock(long from, long size, boolean shared) throws IOException {
        process.enter();
        if (file().isLockedBy(process)) {
            throw new OverlappingFileLockException();
        }
        return file().lock(process) ? new Lock(this, file(), process) : null;
    }

    private static final class Lock extends FileLock {
        private final Inode inode;
        private final SystemCalls process;

        Lock(FileChannel channel, Inode inode, SystemCalls process) {
            super(channel, 0, Long.MAX_VALUE, false);
            this.inode = inode;
            this.process = process;
        }

        @Override
        public boolean isValid() {
            return inode.isLockedBy(process);
        }

        @Override
        public void release() {
            inode.unlock(process);
        }
    }

    /** As on Unix, closing any channel of a file releases the process's lock on it. */
    @Override
    protected void implCloseChannel() {
        process.enter();
        if (inode != null) {
            inode.unlock(process);
        }
    }

    @Override
    public FileChannel truncate(long size) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public FileLock lock(long from, long size, boolean shared) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel to) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long to, long count) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) {
        throw DiskFileSystem.unsupported();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw DiskFileSystem.unsupported();
    }
}
