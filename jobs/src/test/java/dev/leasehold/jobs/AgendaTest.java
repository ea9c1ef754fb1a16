package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.Timers;
import dev.leasehold.testkit.ManualContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** If a timer cannot be set, no job is forgotten. */
class AgendaTest {
    private static final Logger LOG = Logger.getLogger("dev.leasehold");
    private static final LeaseName A = LeaseName.of("a");
    private static final LeaseName B = LeaseName.of("b");

    private final ManualContext manual = new ManualContext();
    private final StoreClock clock = new StoreClock(manual.ticker());
    private final List<LeaseName> due = new ArrayList<>();
    private boolean broken;
    private boolean callbackFails;
    private final Agenda agenda = new Agenda(new Breaking(), clock, this::onDue, () -> {});

    @BeforeEach
    void silenceLog() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void restoreLog() {
        LOG.setLevel(null);
    }

    @Test
    void ifNoTimerCanBeSetTheEarlierTimerCoversThePlan() {
        agenda.plan(A, in(Duration.ofSeconds(50)));
        broken = true;
        agenda.plan(B, in(Duration.ofSeconds(20)));
        broken = false;

        manual.advance(Duration.ofSeconds(51));

        assertThat(due).containsExactly(B, A);
    }

    @Test
    void ifNoTimerCanBeSetAndNoneIsLeftEveryJobIsDueAtOnce() {
        agenda.plan(A, in(Duration.ofMinutes(30)));
        manual.advance(Duration.ofSeconds(50));
        broken = true;
        manual.advance(Duration.ofSeconds(20));

        assertThat(due).containsExactly(A);
        assertThatThrownBy(() -> agenda.plan(A, in(Duration.ofMinutes(29))))
                .isInstanceOf(RejectedExecutionException.class);
        broken = false;
        agenda.plan(A, in(Duration.ofMinutes(29)));
        manual.advance(Duration.ofMinutes(30));
        assertThat(due).containsExactly(A, A);
    }

    @Test
    void aFailingCallbackDoesNotAffectOtherJobs() {
        agenda.plan(A, in(Duration.ofSeconds(10)));
        agenda.plan(B, in(Duration.ofSeconds(10)));
        callbackFails = true;
        manual.advance(Duration.ofSeconds(11));
        callbackFails = false;
        agenda.plan(A, in(Duration.ofSeconds(10)));
        manual.advance(Duration.ofSeconds(11));

        assertThat(due).containsExactlyInAnyOrder(A, B, A);
    }

    private Instant in(Duration duration) {
        return clock.now().plus(duration);
    }

    private void onDue(LeaseName job) {
        due.add(job);
        if (callbackFails) {
            throw new AssertionError("injected");
        }
    }

    private final class Breaking implements Timers {
        @Override
        public Runnable after(Duration delay, Runnable task) {
            if (broken) {
                throw new RejectedExecutionException("injected");
            }
            return manual.timers().after(delay, task);
        }

        @Override
        public void run(Lane lane, Runnable task) {
            manual.timers().run(lane, task);
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            manual.timers().sleep(duration);
        }

        @Override
        public void close() {}
    }
}
