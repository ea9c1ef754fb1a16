package dev.leasehold.agents;

import dev.leasehold.internal.Fields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Copies of the versions that agents wrote, under their hashes, and for each file the last of its
 * versions, so that a version which a late writer replaced can be put back. The oldest are removed.
 */
final class VersionCopies {
    private static final String HEADER = "leasehold agent version 1";
    private static final long MAX_BYTES = 4L * 1024 * 1024;
    private static final int MAX_FILES = 2000;
    private static final Duration LOCK_WAIT = Duration.ofSeconds(2);

    private static final Semaphore IN_PROCESS = new Semaphore(1, true);
    private static final String LOCK = ".lock";

    private final Path directory;

    VersionCopies(Path directory) {
        this.directory = directory;
    }

    void keep(FilePlace place, Workspace.Version version, byte[] content) {
        try {
            PrivateDirectory.create(directory);
            try (FileMutex mutex = FileMutex.take(directory.resolve(LOCK), IN_PROCESS, LOCK_WAIT)) {
                Path copy = directory.resolve(version.hash());
                if (content.length > MAX_BYTES) {
                    // No copy, but an older one must not pass for the last version.
                } else if (Files.exists(copy)) {
                    Files.setLastModifiedTime(copy, FileTime.from(Instant.now()));
                } else {
                    PrivateDirectory.replace(copy, content);
                }
                if (version.follows(last(place))) {
                    PrivateDirectory.replace(record(place), format(version));
                }
                // Looking at each directory entry is slow, so most calls do not.
                if (version.hash().charAt(0) == '0') {
                    prune();
                }
            }
        } catch (IOException e) {
            // The copy only helps to mend what went wrong.
        }
    }

    private Path record(FilePlace place) {
        return directory.resolve("last-" + FilePlace.sha256(place.path()).substring(0, 32));
    }

    private static byte[] format(Workspace.Version version) {
        Fields fields = new Fields(HEADER)
                .put("store", version.store())
                .put("token", Long.toString(version.token()))
                .put("hash", version.hash())
                .put("holder", version.holder())
                .put("at", version.at());
        return Fields.withChecksum(fields.format()).getBytes(StandardCharsets.UTF_8);
    }

    Workspace.@Nullable Version last(FilePlace place) {
        try {
            String text = new String(Files.readAllBytes(record(place)), StandardCharsets.UTF_8);
            Fields fields = Fields.parse(HEADER, text);
            return new Workspace.Version(
                    fields.require("store"),
                    fields.requireLong("token"),
                    fields.require("hash"),
                    fields.require("holder"),
                    fields.requireInstant("at"));
        } catch (IOException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    void forget(FilePlace place) {
        try {
            Files.deleteIfExists(record(place));
        } catch (IOException e) {
            // An old version is only a hint.
        }
    }

    private void prune() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(files::add);
        }
        if (files.size() <= MAX_FILES) {
            return;
        }
        List<String> byAge = new ArrayList<>();
        for (Path file : files) {
            if (file.endsWith(LOCK)) {
                continue;
            }
            String modified = Long.toString(Files.getLastModifiedTime(file).toMillis());
            byAge.add("0".repeat(Math.max(0, 20 - modified.length())) + modified + "/" + file.getFileName());
        }
        byAge.sort(null);
        for (String old : byAge.subList(0, byAge.size() - MAX_FILES / 2)) {
            Files.deleteIfExists(directory.resolve(old.substring(old.indexOf('/') + 1)));
        }
    }

    @Nullable
    String find(String hash) {
        Path copy = directory.resolve(hash);
        return Files.exists(copy) ? copy.toString() : null;
    }
}
