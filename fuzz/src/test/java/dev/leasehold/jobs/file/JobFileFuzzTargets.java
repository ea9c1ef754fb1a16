package dev.leasehold.jobs.file;

import dev.leasehold.fuzz.FuzzTarget;
import java.nio.file.Path;
import java.util.List;

/** The job file. */
public final class JobFileFuzzTargets {
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

    private JobFileFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(FuzzTarget.of(
                "job file",
                JobFileException.class,
                JobFileFuzzTargets::read,
                FILE,
                "jobs: {a: {schedule: '30 2 * * *', shell: x}}",
                "jobs: {a: &a {schedule: '@daily', shell: x}, b: *a}"));
    }

    private static void read(String text) throws JobFileException {
        JobFile file = JobFile.parse("leasehold.yaml", Path.of("/jobs"), text);
        FuzzTarget.requireBelow(file.entries().size(), text.length());
    }
}
