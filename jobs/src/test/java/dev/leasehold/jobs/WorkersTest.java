package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.LeaseName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Every task runs or is refused, and every permit is returned once. */
class WorkersTest {
    private final List<LeaseName> free = new ArrayList<>();
    private final List<String> done = new ArrayList<>();

    /** A pool may queue a task and then fail to start a thread for its queue. */
    @Test
    void aTaskThatTheExecutorKeepsAlthoughItThrowsDoesNotRun() {
        List<Runnable> kept = new ArrayList<>();
        Workers workers = new Workers(
                task -> {
                    kept.add(task);
                    throw new RejectedExecutionException();
                },
                1,
                free::add);

        workers.execute(() -> done.add("run"), e -> done.add("refused"));
        kept.forEach(Runnable::run);

        assertThat(done).containsExactly("refused");
    }

    @Test
    void aTaskThatRanIsNotRefusedAfterwards() {
        Workers workers = new Workers(
                task -> {
                    task.run();
                    throw new RejectedExecutionException();
                },
                1,
                free::add);

        workers.execute(() -> done.add("run"), e -> done.add("refused"));

        assertThat(done).containsExactly("run");
    }

    @Test
    void aPermitIsReturnedOnceByItsLastOwner() {
        Workers workers = new Workers(Runnable::run, 1, free::add);
        Workers.Permit last;
        try (Workers.Permit first = workers.tryPermit(JobsWorld.JOB).orElseThrow()) {
            last = first.passOn();
            assertThatThrownBy(first::passOn).isInstanceOf(IllegalStateException.class);
        }
        assertThat(workers.tryPermit(JobsWorld.JOB)).isEmpty();
        assertThat(free).isEmpty();

        last.close();
        last.close();

        assertThat(free).containsExactly(JobsWorld.JOB);
        assertThat(workers.tryPermit(JobsWorld.JOB)).isPresent();
        assertThat(workers.tryPermit(JobsWorld.JOB)).isEmpty();
    }
}
