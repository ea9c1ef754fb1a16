package dev.leasehold.jobs.file;

import dev.leasehold.fuzz.Surface;
import java.nio.file.Path;
import java.util.List;

/** The job file. */
public final class JobFileSurfaces {
    private static final String FILE =
            """
            zone: UTC
            parallel: 4
            jobs:
              a:
                schedule: '@daily'
                command: [x, -y]
                environment: {A: b}
                guard: [p]
                overlap: wait 9m
                catch-up: {latest: 3}
                retries: {max: 2}
                ttl: 9s
            """;

    private JobFileSurfaces() {}

    public static List<Surface> all() {
        return List.of(Surface.of(
                "job file",
                JobFileException.class,
                JobFileSurfaces::read,
                FILE,
                "jobs: {a: {schedule: '30 2 * * *', shell: x}}",
                "jobs: {a: &a {schedule: '@daily', shell: x}, b: *a}"));
    }

    private static void read(String text) throws JobFileException {
        JobFile file = JobFile.parse("leasehold.yaml", Path.of("/jobs"), text);
        Surface.requireBelow(file.entries().size(), text.length());
    }
}
