package dev.leasehold.cli.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;

/** Tells whether a file is still the same, without reading it: a replaced file has another identity even with the same date. */
public record FileStamp(Instant modified, long size, String identity) {
    public static FileStamp of(Path path) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new FileStamp(
                    attributes.lastModifiedTime().toInstant(), attributes.size(), String.valueOf(attributes.fileKey()));
        } catch (IOException e) {
            // Gone, or being replaced: that is a change as well.
            return new FileStamp(Instant.EPOCH, -1, "");
        }
    }
}
