package dev.leasehold.fuzz;

import dev.leasehold.cli.CommandLineSurfaces;
import dev.leasehold.fence.FenceSurfaces;
import dev.leasehold.git.GitSurfaces;
import dev.leasehold.jdbc.JdbcSurfaces;
import dev.leasehold.jobs.JobSurfaces;
import dev.leasehold.jobs.file.JobFileSurfaces;
import dev.leasehold.redis.RedisSurfaces;
import dev.leasehold.store.StoreSurfaces;
import dev.leasehold.work.WorkSurfaces;
import java.util.List;
import java.util.stream.Stream;

/** Everything that reads input. */
public final class Surfaces {
    public static final List<Surface> ALL = Stream.of(
                    ValueSurfaces.all(),
                    StoreSurfaces.all(),
                    FenceSurfaces.all(),
                    WorkSurfaces.all(),
                    GitSurfaces.all(),
                    RedisSurfaces.all(),
                    JdbcSurfaces.all(),
                    JobSurfaces.all(),
                    JobFileSurfaces.all(),
                    CommandLineSurfaces.all())
            .flatMap(List::stream)
            .toList();

    private Surfaces() {}
}
