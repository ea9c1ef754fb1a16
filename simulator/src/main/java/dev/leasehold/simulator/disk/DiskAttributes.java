package dev.leasehold.simulator.disk;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * Attributes of a simulated file. All times are zero: a simulation is too short for the age of a
 * file to matter.
 */
record DiskAttributes(boolean isDirectory, int links, long size) implements BasicFileAttributes {
    static final DiskAttributes OF_DIRECTORY = new DiskAttributes(true, 1, 0);

    static DiskAttributes of(Inode inode, int links) {
        return new DiskAttributes(false, links, inode.bytes().length);
    }

    @Override
    public boolean isRegularFile() {
        return !isDirectory;
    }

    @Override
    public boolean isSymbolicLink() {
        return false;
    }

    @Override
    public boolean isOther() {
        return false;
    }

    @Override
    public FileTime lastModifiedTime() {
        return FileTime.fromMillis(0);
    }

    @Override
    public FileTime lastAccessTime() {
        return FileTime.fromMillis(0);
    }

    @Override
    public FileTime creationTime() {
        return FileTime.fromMillis(0);
    }

    @Override
    public Object fileKey() {
        return this;
    }
}
