package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.WrongFenceException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fence is bound to another store only by a token above every one that it has seen. */
class FenceRebindTest {
    private static final StoreId LOST = StoreId.of("the-lost-store");
    private static final StoreId NEW = StoreId.of("the-new-store");

    @TempDir
    Path directory;

    private FencedFile file;
    private FencedPath path;
    private FenceState before;

    @BeforeEach
    void guardAFile() {
        file = FencedFile.at(directory.resolve("page.html"));
        path = FencedPath.at(directory.resolve("page.html"));
        file.admitOnce(grant("job", 7, LOST), out -> out.write("seven".getBytes(StandardCharsets.UTF_8)));
        before = file.state().orElseThrow();
    }

    private static Grant grant(String name, long token, StoreId store) {
        return new Grant(LeaseName.of(name), FencingToken.of(token), AttemptId.of("attempt-" + token + store), store);
    }

    private FenceState state() {
        return path.details().orElseThrow().state();
    }

    @Test
    void aHigherTokenBindsAndTheOneWriteIsKept() {
        Grant next = grant("job", 8, NEW);
        assertThat(path.rebind(next)).isInstanceOf(Admission.Admitted.class);
        assertThat(state())
                .isEqualTo(new FenceState(
                        before.name(), NEW, next.token(), next.attempt(), before.once(), before.digest(), before.id()));
        assertThatThrownBy(() -> path.raise(grant("job", 9, LOST))).isInstanceOf(WrongFenceException.class);
        assertThat(path.raise(Grant.bare(before.name(), before.raised()))).isInstanceOf(Admission.Stale.class);
        assertThat(path.raise(grant("job", 9, NEW))).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void aTargetWithoutAFenceGetsNone() {
        FencedPath other = FencedPath.at(directory.resolve("other.html"));
        assertThatThrownBy(() -> other.rebind(grant("job", 8, NEW))).isInstanceOf(TargetUnavailableException.class);
        assertThat(other.isFenced()).isFalse();
        assertThat(other.details()).isEmpty();
    }
}
