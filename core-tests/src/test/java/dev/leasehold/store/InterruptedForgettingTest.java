package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a process leaves that dies while it forgets a name of a file store, and what a fence makes of a forgotten name. */
class InterruptedForgettingTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int TOKENS = 3;

    @TempDir
    Path root;

    private FileLeaseStore store;
    private Path directory;
    private Grant last;

    @BeforeEach
    void nameWithThreeTokens() {
        store = FileLeaseStore.create(root.resolve("store"));
        for (int i = 0; i < TOKENS; i++) {
            last = acquire(store);
            store.release(last, Duration.ZERO);
        }
        store.watch(NAME).orElseThrow().close();
        directory = root.resolve("store/leases/n-job");
    }

    /** Each number of grants may be left, and at the end only the state. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void removalThatWasInterruptedGoesOn(int removed) throws IOException {
        interrupt(removed);

        try (FileLeaseStore other = FileLeaseStore.open(root.resolve("store"))) {
            assertThat(other.inspect(NAME)).isEmpty();
            assertThat(other.list("", "", 10)).isEmpty();
            assertThat(acquire(other).token().value()).isEqualTo(TOKENS + 1);
            assertThat(other.history(NAME, 10)).hasSize(1);
        }
        assertThat(store.inspect(NAME).orElseThrow().lease().token().value()).isEqualTo(TOKENS + 1);
        try (var files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("state", "g-00000000000000000004");
        }
    }

    @Test
    void removalThatWasInterruptedIsFinishedByTheNextOne() throws IOException {
        interrupt(1);

        assertThat(forget(last.token().value())).isEqualTo(Forgetting.ABSENT);
        assertThat(directory).doesNotExist();
    }

    @Test
    void repairGoesAboveAForgottenToken() throws IOException {
        interrupt(2);
        Acquisition repaired =
                store.intervene(Intervention.repair(NAME, attempt(), Holder.of("test"), 0, Note.of("test")));

        assertThat(((Acquisition.Granted) repaired).grant().token().value()).isEqualTo(TOKENS + 1);
    }

    @Test
    void floorThatWasRaisedOnlyDoesNoHarm() throws IOException {
        store.forgetting().raise(7);

        assertThat(acquire(store).token().value()).isEqualTo(TOKENS + 1);
        assertThat(((Acquisition.Granted) store.acquire(LeaseName.of("new"), attempt(), Holder.of("test"), LONG))
                        .grant()
                        .token()
                        .value())
                .isEqualTo(8);
    }

    @Test
    void floorThatIsGoneIsNotTakenForZero() throws IOException {
        assertThat(forget(TOKENS)).isEqualTo(Forgetting.FORGOTTEN);
        Path floor = root.resolve("store/leases/floor");
        Files.delete(floor.resolve("f-00000000000000000003"));

        assertThatThrownBy(() -> acquire(store)).isInstanceOf(StoreCorruptException.class);
        Files.createFile(floor.resolve("f-3x"));
        assertThatThrownBy(() -> acquire(store)).isInstanceOf(StoreCorruptException.class);
    }

    @Test
    void nothingIsLeftOfAForgottenName() {
        assertThat(forget(TOKENS)).isEqualTo(Forgetting.FORGOTTEN);

        assertThat(directory).doesNotExist();
        assertThat(root.resolve("store/leases/floor")).isDirectoryContaining("glob:**/f-00000000000000000003");
    }

    /** The fence of the target outlives the record of the name. */
    @Test
    void staleWriteAfterItsNameWasForgottenIsRefused() throws IOException {
        Path target = root.resolve("report");
        FencedFile file = FencedFile.at(target);
        assertThat(file.admit(last, content("old"))).isInstanceOf(Admission.Admitted.class);
        assertThat(forget(TOKENS)).isEqualTo(Forgetting.FORGOTTEN);
        Grant anew = acquire(store);
        assertThat(file.admit(anew, content("new"))).isInstanceOf(Admission.Admitted.class);

        assertThat(file.admit(last, content("late"))).isInstanceOf(Admission.Stale.class);
        assertThat(target).hasContent("new");
    }

    /** As if a process had died after it removed so many grants. */
    private void interrupt(int removed) throws IOException {
        store.forgetting().raise(TOKENS);
        try (TwoCopyFile state = TwoCopyFile.open(directory.resolve("state"), TwoCopyFile.Size.SMALL, "test", LONG)) {
            state.replace(RecordText.forgotten(last.token()));
        }
        for (int token = 1; token <= removed; token++) {
            Files.delete(directory.resolve("g-0000000000000000000" + token));
        }
    }

    private Forgetting forget(long token) {
        return store.forget(List.of(new ForgetRequest(NAME, FencingToken.of(token))))
                .get(0);
    }

    private static Grant acquire(FileLeaseStore store) {
        return ((Acquisition.Granted) store.acquire(NAME, attempt(), Holder.of("test"), LONG)).grant();
    }

    private static AttemptId attempt() {
        return AttemptId.of(new SystemIds().unique());
    }

    private static Content content(String text) {
        return Content.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
