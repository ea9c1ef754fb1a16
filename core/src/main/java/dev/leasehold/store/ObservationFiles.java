package dev.leasehold.store;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Sha256;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.spi.ClockReading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Observations that outlive a process: one small file for each record. Their times count from the start of the host, so
 * they are compared only on the same host, since the same start, and in the same namespaces, which may have a clock of
 * their own. At most {@value #MAX_FILES} are kept. Whatever cannot be read or written is not kept.
 */
final class ObservationFiles {
    private static final String HEADER = "leasehold observation 1";
    private static final String PREFIX = "o-";
    private static final int MAX_FILES = 500;
    private static final int MAX_BYTES = 4_000;
    private static final List<String> NAMESPACES = List.of("/proc/self/ns/pid", "/proc/self/ns/time");

    private record Aged(Path path, FileTime changed) {}

    private final Path directory;
    private final String clock;

    ObservationFiles(Path directory, String clock) {
        this.directory = directory;
        this.clock = clock;
    }

    /** Null if this host has no clock that counts since its start. */
    static @Nullable ObservationFiles in(Path directory) {
        String clock = clockOfHost();
        return clock == null ? null : new ObservationFiles(directory, clock);
    }

    /** Names the clock of {@link ClockReading#sleepingNanos}. */
    private static @Nullable String clockOfHost() {
        try {
            Files.readString(Path.of("/proc/uptime"));
            StringBuilder name = new StringBuilder(
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
            for (String namespace : NAMESPACES) {
                Path link = Path.of(namespace);
                if (Files.isSymbolicLink(link)) {
                    name.append(' ').append(Files.readSymbolicLink(link));
                }
            }
            return name.toString();
        } catch (IOException e) {
            return null;
        }
    }

    /** When the version was first seen on this host. If that is not known, it is noted as {@code now}. */
    ClockReading since(String record, String version, ClockReading now) {
        Path file = file(record);
        try {
            Duration ago = read(file, record, version, now);
            if (ago != null) {
                return now.minus(ago);
            }
            write(file, record, version, now);
        } catch (IOException e) {
            // Without the note, the observation lasts as long as this process.
        }
        return now;
    }

    /** The same, but writes nothing: {@code now} if it is not known. */
    ClockReading noted(String record, String version, ClockReading now) {
        try {
            Duration ago = read(file(record), record, version, now);
            return ago == null ? now : now.minus(ago);
        } catch (IOException e) {
            return now;
        }
    }

    private Path file(String record) {
        return directory.resolve(
                PREFIX + Sha256.hex(record.getBytes(StandardCharsets.UTF_8)).substring(0, 40));
    }

    private @Nullable Duration read(Path file, String record, String version, ClockReading now) throws IOException {
        if (!Disk.exists(file) || Files.size(file) > MAX_BYTES) {
            return null;
        }
        try {
            Fields fields = Fields.parse(HEADER, Files.readString(file, StandardCharsets.UTF_8));
            long passed = now.sleepingNanos() - fields.requireLong("since-nanos");
            boolean same = fields.require("record").equals(record)
                    && fields.require("version").equals(version)
                    && fields.require("clock").equals(clock);
            return same && passed >= 0 ? Duration.ofNanos(passed) : null;
        } catch (IllegalArgumentException e) {
            // Damaged, for example by a full disk.
            return null;
        }
    }

    private void write(Path file, String record, String version, ClockReading now) throws IOException {
        String text = new Fields(HEADER)
                .put("record", record)
                .put("version", version)
                .put("clock", clock)
                .put("since-nanos", now.sleepingNanos())
                .format();
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
        }
        boolean known = Disk.exists(file);
        Path written = Files.createTempFile(directory, PREFIX, ".new");
        try {
            Files.writeString(written, text);
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
        if (!known) {
            sweep();
        }
    }

    private static boolean isOurs(Path file) {
        return String.valueOf(file.getFileName()).startsWith(PREFIX);
    }

    /** Removes the oldest half if there are too many files. */
    private void sweep() throws IOException {
        List<Aged> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, ObservationFiles::isOurs)) {
            for (Path path : all) {
                files.add(new Aged(path, Files.getLastModifiedTime(path)));
            }
        }
        if (files.size() <= MAX_FILES) {
            return;
        }
        files.sort(Comparator.comparing(Aged::changed));
        for (Aged file : files.subList(0, files.size() - MAX_FILES / 2)) {
            Files.deleteIfExists(file.path);
        }
    }
}
