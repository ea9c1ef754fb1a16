package dev.leasehold.jobs.file;

import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.Schedule;
import dev.leasehold.work.WorkLedger;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one file.
 *
 * @param store the URL of the store, or null if the file names none
 * @param parallel how many slots one machine runs at once
 * @param stopWithin how long running jobs may take to finish when the program is stopped
 * @param keepDone how long completed work items are kept
 * @param keepFree how long names are kept that are free and that nothing refers to, or null for ever
 */
public record JobFile(
        @Nullable String store,
        int parallel,
        Duration stopWithin,
        Duration keepDone,
        @Nullable Duration keepFree,
        List<Entry> entries) {
    /**
     * One job: all settings but its work, and the command from which the program makes the work.
     */
    public record Entry(Job.Builder settings, JobCommand command) {}

    private static final int MAX_BYTES = 3_000_000;
    private static final int MAX_JOBS = 10_000;
    private static final int MAX_PARALLEL = 1000;
    private static final List<String> KEYS =
            List.of("store", "zone", "parallel", "stop-within", "keep-done", "keep-free", "jobs");

    /**
     * Reads and checks a file.
     *
     * @throws JobFileException if the file has mistakes; it lists all of them
     * @throws IOException if it cannot be read
     */
    public static JobFile read(Path path) throws IOException, JobFileException {
        if (Files.isDirectory(path)) {
            throw new JobFileException(List.of(path + ": this is a directory; name the job file in it"));
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new JobFileException(List.of(
                    path + ": this is not a regular file; reading it could wait for ever. Write the jobs into a file"));
        }
        String text;
        try (InputStream file = Files.newInputStream(path)) {
            // The size of the file is not used: another program may change it meanwhile.
            byte[] bytes = file.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new JobFileException(List.of(path + ": the file is larger than " + MAX_BYTES + " bytes"));
            }
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new JobFileException(List.of(path + ": the file is not UTF-8"));
        }
        Path home = path.toAbsolutePath().getParent();
        return parse(path.toString(), home == null ? path.toAbsolutePath() : home, text);
    }

    static JobFile parse(String name, Path home, String text) throws JobFileException {
        Problems problems = new Problems(name);
        YamlMap root = YamlMap.root(text, problems);
        JobFile file = root == null ? null : of(root, home);
        problems.throwIfAny();
        if (file == null) {
            throw new IllegalStateException("a file without problems was not read");
        }
        return file;
    }

    private static JobFile of(YamlMap root, Path home) {
        root.allow(KEYS);
        ZoneId given = root.value("zone", Schedule::zone);
        ZoneId zone = given == null ? ZoneId.of("UTC") : given;
        List<Entry> entries = new ArrayList<>();
        Map<String, YamlMap> jobs = root.maps("jobs");
        if (jobs.isEmpty() && root.map("jobs") != null) {
            root.problem("jobs", "there is no job: write at least one, with its name and its fields");
        }
        if (jobs.size() > MAX_JOBS) {
            root.problem("jobs", "there are " + jobs.size() + " jobs: a file may hold at most " + MAX_JOBS);
            jobs.clear();
        }
        jobs.forEach((name, fields) -> {
            Entry entry = new JobReader(name, fields, zone, home).read();
            if (entry != null) {
                entries.add(entry);
            }
        });
        return new JobFile(
                root.value("store", Function.identity()),
                root.number("parallel", 1, MAX_PARALLEL, 16),
                root.duration("stop-within", Duration.ofSeconds(30)),
                keepDone(root),
                keepFree(root),
                entries);
    }

    private static Duration keepDone(YamlMap root) {
        Duration given = root.duration("keep-done", WorkLedger.DEFAULT_RETENTION);
        if (given.isZero()) {
            root.problem("keep-done", "must be more than zero: done items answer retries");
        }
        return given;
    }

    private static @Nullable Duration keepFree(YamlMap root) {
        Duration given = root.duration("keep-free");
        if (given != null && given.isZero()) {
            root.problem("keep-free", "must be more than zero: a name that is free is in use again at any moment");
        }
        return given;
    }

    /** The jobs, with the work that {@code work} makes of each command. */
    public List<Job> jobs(Function<JobCommand, Job.Work> work) {
        Map<Entry, Job> jobs = new LinkedHashMap<>();
        for (Entry entry : entries) {
            jobs.put(entry, entry.settings.run(work.apply(entry.command)).build());
        }
        return List.copyOf(jobs.values());
    }
}
