package dev.leasehold.cli.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;

/**
 * Identifies a version of a file without reading it. A replaced file has another identity even with
 * the same date.
 */
record FileStamp(Instant modified, long size, String identity) {
    static FileStamp of(Path path) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new FileStamp(
                    attributes.lastModifiedTime().toInstant(), attributes.size(), String.valueOf(attributes.fileKey()));
        } catch (IOException e) {
            // The file is gone or being replaced, which is a change too.
            return new FileStamp(Instant.EPOCH, -1, "");
        }
    }
}
