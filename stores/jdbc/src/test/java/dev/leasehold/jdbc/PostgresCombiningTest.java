package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The steps of callers that come at the same moment share statements, and nothing else. */
class PostgresCombiningTest extends CombiningCallers {
    @Test
    void manyStepsAtOnceNeedFewStatementsAndEachCallerGetsItsOwnAnswer() throws Exception {
        List<Acquisition> first = atOnce(i -> acquire(name(i)));
        for (int i = 0; i < CALLERS; i++) {
            assertGranted(first.get(i), i, 1, TransferReason.FIRST);
        }
        List<ProgressReport> notes = atOnce(
                i -> store.progress(grant(first.get(i)), Note.of("note " + i), Checkpoint.of("checkpoint " + i)));
        assertThat(notes).allMatch(ProgressReport.Noted.class::isInstance);
        List<Optional<LeaseSnapshot>> read = atOnce(i -> store.inspect(name(i)));
        for (int i = 0; i < CALLERS; i++) {
            assertThat(read.get(i).orElseThrow().lease().progress().note()).isEqualTo(Note.of("note " + i));
        }
        List<Release> released = atOnce(i -> store.release(grant(first.get(i)), Duration.ZERO));
        assertThat(released).allMatch(Release.Released.class::isInstance);
        List<Acquisition> second = atOnce(i -> acquire(name(i)));
        for (int i = 0; i < CALLERS; i++) {
            assertGranted(second.get(i), i, 2, TransferReason.RELEASED);
            assertThat(store.history(name(i), 10).stream().map(Transfer::token))
                    .containsExactly(
                            grant(second.get(i)).token(), grant(first.get(i)).token());
        }
        List<Acquisition> refused = atOnce(i -> acquire(name(i)));
        assertThat(refused).allMatch(Acquisition.Busy.class::isInstance);
        assertThat(statements)
                .as("statements for %d steps in %d rounds", 6 * CALLERS, 6)
                .isLessThan(6 * CALLERS / 2);
    }

    @Test
    void staleTokensAndNewNamesInABatchAreAnsweredAsIfAlone() throws Exception {
        List<Grant> old = atOnce(i -> grant(acquire(name(i))));
        atOnce(i -> store.release(old.get(i), Duration.ZERO));
        atOnce(i -> i % 2 == 0 ? acquire(name(i)) : store.inspect(name(i)));

        List<Release> late = atOnce(i -> store.release(old.get(i), Duration.ZERO));
        List<ProgressReport> reports = atOnce(i -> store.progress(old.get(i), Note.of("late"), null));
        List<Optional<LeaseSnapshot>> read = atOnce(i -> store.inspect(name(i % 2 == 0 ? i : CALLERS + i)));

        for (int i = 0; i < CALLERS; i++) {
            assertThat(late.get(i)).isNotInstanceOf(Release.Released.class);
            assertThat(reports.get(i)).isNotInstanceOf(ProgressReport.Noted.class);
            assertThat(read.get(i).isPresent()).isEqualTo(i % 2 == 0);
            if (i % 2 == 0) {
                assertThat(read.get(i).orElseThrow().lease().released())
                        .as("a stale release changes nothing")
                        .isFalse();
            }
        }
    }

    @Test
    void batchesOfTwoClientsForTheSameNamesGrantEachNameOnce() throws Exception {
        AtomicInteger[] holders = new AtomicInteger[CALLERS / 2];
        Arrays.setAll(holders, i -> new AtomicInteger());
        AtomicInteger grants = new AtomicInteger();
        try (JdbcLeaseStore other = JdbcLeaseStore.create(SERVER.dataSource())) {
            atOnce(i -> {
                for (int round = 0; round < 20; round++) {
                    JdbcLeaseStore client = i % 2 == 0 ? store : other;
                    int name = (i / 2 + round * (i % 2 == 0 ? 1 : 5)) % holders.length;
                    if (client.acquire(name(name), attempt(), HOLDER, LONG) instanceof Acquisition.Granted granted) {
                        assertThat(holders[name].incrementAndGet())
                                .as("holders of one name")
                                .isEqualTo(1);
                        holders[name].decrementAndGet();
                        assertThat(client.release(granted.grant(), Duration.ZERO))
                                .isInstanceOf(Release.Released.class);
                        grants.incrementAndGet();
                    }
                }
                return i;
            });
        }
        long tokens = 0;
        for (int i = 0; i < holders.length; i++) {
            tokens += store.inspect(name(i)).orElseThrow().lease().token().value() - store.floor();
        }
        assertThat(tokens).as("each grant has a token of its own").isEqualTo(grants.get());
    }

    @Test
    void manyCallersOfOneNameNeedFewStatements() throws Exception {
        for (int round = 1; round <= 2; round++) {
            List<Acquisition> answers = atOnce(i -> acquire(name(0)));
            List<Acquisition> granted = answers.stream()
                    .filter(Acquisition.Granted.class::isInstance)
                    .toList();
            assertThat(granted).hasSize(1);
            assertThat(answers).filteredOn(Acquisition.Busy.class::isInstance).hasSize(CALLERS - 1);
            store.release(grant(granted.get(0)), Duration.ZERO);
        }
        assertThat(statements).as("statements for %d steps", 2 * CALLERS).isLessThan(CALLERS);
    }

    @Test
    void fencesOfManyCallersAreRaisedTogetherAndEachGetsItsOwnAnswer() throws Exception {
        JdbcFence fences = JdbcFence.prepare(gate);
        List<Grant> old = atOnce(i -> grant(acquire(name(i))));
        atOnce(i -> store.release(old.get(i), Duration.ZERO));
        List<Grant> current = atOnce(i -> grant(acquire(name(i))));
        List<Admission> first = atOnce(i -> fences.in(gate, prefix + i).raise(old.get(i)));
        assertThat(first).allMatch(Admission.Admitted.class::isInstance);
        statements = 0;
        List<Admission> raised = atOnce(i -> fences.in(gate, prefix + i).raise(current.get(i)));
        assertThat(raised).allMatch(Admission.Admitted.class::isInstance);
        assertThat(statements).isLessThan(CALLERS);
        List<Admission> mixed =
                atOnce(i -> fences.in(gate, prefix + i).raise(i % 2 == 0 ? old.get(i) : current.get(i)));
        for (int i = 0; i < CALLERS; i++) {
            assertThat(mixed.get(i)).isInstanceOf(i % 2 == 0 ? Admission.Stale.class : Admission.Admitted.class);
            assertThat(fences.in(gate, prefix + i).raise(old.get(i))).isInstanceOf(Admission.Stale.class);
        }
    }
}
