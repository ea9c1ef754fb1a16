package dev.leasehold.cli.jobs;

import dev.leasehold.jobs.JobRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The files of a job's output, one for each run: {@code JOB@20260329T013000Z.1.log}, with the number of the attempt. The
 * latest ones of each job are kept.
 */
final class RunFiles {
    static final int KEPT = 100;

    private RunFiles() {}

    /**
     * Creates the file of a run.
     *
     * @param problem is told once if the file cannot be written; the rest of the output is then lost
     */
    static OutputStream open(Path directory, JobRun run, Consumer<String> problem) throws IOException {
        String job = run.slot().job().value().replace('/', '%') + "@";
        String slot = run.slot().at().toString().replace("-", "").replace(":", "");
        Files.createDirectories(directory);
        removeOld(directory, job);
        Path file = directory.resolve(job + slot + "." + run.attempt() + ".log");
        // Another attempt may have had the same number, on a machine that shares the directory.
        OutputStream to = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return new Careful(to, file, problem);
    }

    private static void removeOld(Path directory, String prefix) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(
                directory,
                path -> path.getFileName().toString().startsWith(prefix)
                        && path.getFileName().toString().endsWith(".log"))) {
            all.forEach(files::add);
        }
        // Their names are in the order of their slots.
        files.sort(Comparator.comparing(path -> path.getFileName().toString()));
        for (int i = 0; i <= files.size() - KEPT; i++) {
            Files.deleteIfExists(files.get(i));
        }
    }

    /** Never throws: a full disk must not stop the command. Takes both streams of the run. */
    private static final class Careful extends OutputStream {
        private final OutputStream to;
        private final Path file;
        private final Consumer<String> problem;
        private boolean failed;

        Careful(OutputStream to, Path file, Consumer<String> problem) {
            this.to = to;
            this.file = file;
            this.problem = problem;
        }

        @Override
        public void write(int octet) {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int count) {
            try {
                to.write(bytes, offset, count);
            } catch (IOException e) {
                if (!failed) {
                    failed = true;
                    problem.accept("output is lost: " + file + " cannot be written: " + e.getMessage());
                }
            }
        }

        @Override
        public synchronized void close() throws IOException {
            // What a process prints that the command left behind is dropped.
            failed = true;
            to.close();
        }
    }
}
