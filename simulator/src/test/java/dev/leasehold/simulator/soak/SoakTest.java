package dev.leasehold.simulator.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A soak reports no failure for a correct store, and finds faults that are put in on purpose. */
class SoakTest {
    private static final int MAX_SECONDS = 8;
    private static final Soak.Pace PACE = new Soak.Pace(400, Duration.ofMillis(400));

    @TempDir
    Path scratch;

    private final LeaseStore store = new MemoryLeaseStore(StoreId.of("soaked-store"), Clock.systemUTC());

    @Test
    void correctStorePassesAndNothingIsLeftInIt() throws Exception {
        Set<String> kinds = Set.of(
                "writes", "stale_writes_refused", "stale_completions_refused", "items_completed", "losses_noticed");
        Soak.Result result = soak(
                UnaryOperator.identity(),
                FencedFile::at,
                soaked -> !soaked.isGood() || soaked.tally().counts().keySet().containsAll(kinds));

        assertThat(result.tally().failures()).isEmpty();
        assertThat(result.isGood()).isTrue();
        assertThat(result.tally().counts()).containsKeys(kinds.toArray(String[]::new));
        assertThat(store.list("", "", 10)).isEmpty();
        assertThat(store.register().keys("", "", 10)).isEmpty();
    }

    @Test
    void tokensThatDoNotRiseAreFound() throws Exception {
        Soak.Result result = soak(
                answer -> answer instanceof Acquisition.Granted granted ? stuck(granted) : answer,
                FencedFile::at,
                soaked -> !soaked.isGood());

        assertThat(result.isGood()).isFalse();
        assertThat(result.tally().failures()).anyMatch(failure -> failure.contains("a token did not rise"));
    }

    @Test
    void fenceThatOnlyObservesIsFound() throws Exception {
        Soak.Result result =
                soak(UnaryOperator.identity(), file -> FencedFile.at(file).observing(), soaked -> !soaked.isGood());

        assertThat(result.isGood()).isFalse();
        assertThat(result.tally().failures()).anyMatch(failure -> failure.contains("a stale write was admitted"));
    }

    @Test
    void handlesThatAreNotClosedAreFound() throws Exception {
        List<Closeable> leaked = Collections.synchronizedList(new ArrayList<>());
        try {
            Soak.Result result = soak(
                    answer -> {
                        leaked.add(open());
                        return answer;
                    },
                    FencedFile::at,
                    Soak.Result::grew);

            assertThat(result.grew()).isTrue();
            assertThat(result.isGood()).isFalse();
        } finally {
            for (Closeable handle : leaked) {
                handle.close();
            }
        }
    }

    @Test
    void growthOfEachMeasureIsDetected() {
        Footprint start = new Footprint(50L << 20, 20, 30);

        assertThat(new Footprint(59L << 20, 20, 30).outgrewMemoryOf(start)).isTrue();
        assertThat(new Footprint(57L << 20, 20, 30).outgrewMemoryOf(start)).isFalse();
        assertThat(new Footprint(0, 29, 30).outgrewThreadsOf(start)).isTrue();
        assertThat(new Footprint(0, 28, 30).outgrewThreadsOf(start)).isFalse();
        assertThat(new Footprint(0, 0, 39).outgrewHandlesOf(start)).isTrue();
        assertThat(new Footprint(0, 0, 38).outgrewHandlesOf(start)).isFalse();
        assertThat(new Footprint(0, 0, 39).outgrewHandlesOf(new Footprint(0, 0, -1)))
                .isFalse();
    }

    @Test
    void growthIsNotJudgedBeforePoolsAndCachesAreInUse() {
        Footprint start = new Footprint(50L << 20, 20, 30);
        Footprint grown = new Footprint(90L << 20, 60, 90);
        Duration second = Duration.ofSeconds(1);

        assertThat(new Soak.Result(second, new Tally(), Map.of(), true, start, start, grown).grew())
                .isTrue();
        assertThat(new Soak.Result(second, new Tally(), Map.of(), false, start, start, grown).grew())
                .isFalse();
    }

    /**
     * Soaks longer each time until the expected failure shows: a busy machine gets through little
     * in a second.
     */
    private Soak.Result soak(
            UnaryOperator<Object> answers, Function<Path, Fence<Content>> fences, Predicate<Soak.Result> shows)
            throws Exception {
        Soak.Result result = null;
        for (int seconds = 1; seconds <= MAX_SECONDS && (result == null || !shows.test(result)); seconds++) {
            Path files = Files.createDirectory(scratch.resolve("try-" + seconds));
            result = new Soak(() -> changed(answers), fences, files, PACE, new SystemIds())
                    .run(Duration.ofSeconds(seconds), live -> {});
        }
        return result;
    }

    /** The store with its answers to acquire passed through {@code answers}. */
    private LeaseStore changed(UnaryOperator<Object> answers) {
        return (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, args) -> {
                    try {
                        Object answer = method.invoke(store, args);
                        boolean asks = method.getName().equals("acquire")
                                || method.getName().equals("intervene");
                        return asks ? answers.apply(answer) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Acquisition stuck(Acquisition.Granted granted) {
        Grant grant = granted.grant();
        Grant same = new Grant(grant.name(), FencingToken.of(1), grant.attempt(), grant.store());
        return new Acquisition.Granted(same, granted.remaining(), granted.transfer());
    }

    private static Closeable open() {
        try {
            return new FileInputStream("/dev/null");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
