package dev.leasehold.fuzz;

import dev.leasehold.agents.AgentFuzzTargets;
import dev.leasehold.cli.CommandLineFuzzTargets;
import dev.leasehold.fence.FenceFuzzTargets;
import dev.leasehold.git.GitFuzzTargets;
import dev.leasehold.jdbc.JdbcFuzzTargets;
import dev.leasehold.jobs.JobFuzzTargets;
import dev.leasehold.jobs.file.JobFileFuzzTargets;
import dev.leasehold.mcp.McpFuzzTargets;
import dev.leasehold.redis.RedisFuzzTargets;
import dev.leasehold.store.StoreFuzzTargets;
import dev.leasehold.work.WorkFuzzTargets;
import java.util.List;
import java.util.stream.Stream;

/** All parsers of external input. */
public final class FuzzTargets {
    public static final List<FuzzTarget> ALL = Stream.of(
                    ValueFuzzTargets.all(),
                    StoreFuzzTargets.all(),
                    FenceFuzzTargets.all(),
                    WorkFuzzTargets.all(),
                    GitFuzzTargets.all(),
                    RedisFuzzTargets.all(),
                    JdbcFuzzTargets.all(),
                    JobFuzzTargets.all(),
                    JobFileFuzzTargets.all(),
                    McpFuzzTargets.all(),
                    AgentFuzzTargets.all(),
                    CommandLineFuzzTargets.all())
            .flatMap(List::stream)
            .toList();

    private FuzzTargets() {}
}
