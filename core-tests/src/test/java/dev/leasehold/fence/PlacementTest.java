package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Placement.Artifact;
import dev.leasehold.model.FencingToken;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final Artifact FIRST = new Artifact(FencingToken.of(1), 10, 100);
    private static final Artifact SECOND = new Artifact(FencingToken.of(2), 10, 200);
    private static final Artifact FOREIGN = new Artifact(FencingToken.of(2), 11, 200);
    private static final Instant AT = Instant.ofEpochSecond(1_700_000_000);

    private final Placement twice = Placement.NONE.written(FIRST).written(SECOND);

    @Test
    void aWriteThatACrashLostIsNotAForeignChange() {
        assertThat(twice.isUntouched(SECOND)).isTrue();
        assertThat(twice.isUntouched(FIRST)).isTrue();
        assertThat(twice.isUntouched(FOREIGN)).isFalse();
        assertThat(twice.isUntouched(null)).isFalse();
        assertThat(Placement.NONE.isUntouched(null)).isTrue();
    }

    @Test
    void aWithdrawnWriteLeavesTheFileBeforeIt() {
        assertThat(twice.withdrawn().isUntouched(FIRST)).isTrue();
        assertThat(twice.withdrawn().isUntouched(SECOND)).isFalse();
        assertThat(Placement.NONE.written(FIRST).withdrawn()).isEqualTo(Placement.NONE);
    }

    @Test
    void aChangeIsCountedOnce() {
        Placement seen = twice.seen(FOREIGN, AT);

        assertThat(seen.seen(FOREIGN, AT.plusSeconds(9))).isEqualTo(new Placement(FOREIGN, null, 1, AT));
        assertThat(seen.seen(null, AT).changes()).isEqualTo(2);
        assertThat(seen.written(FIRST).withdrawn().changes()).isEqualTo(1);
        assertThat(seen.unknown().isUntouched(SECOND)).isTrue();
    }

    @Test
    void itIsReadAsItWasWrittenAndMayBeAbsent() {
        String old = "leasehold fence 1\nname=job\nraised=2\npending=.f.leasehold-staged-x\nkind=file\n";
        DiskState state = DiskState.parse(old);

        assertThat(state.placement()).isEqualTo(Placement.NONE);
        assertThat(state.format()).doesNotContain("placed");
        for (Placement each : new Placement[] {twice, twice.seen(FOREIGN, AT), twice.seen(null, AT)}) {
            assertThat(DiskState.parse(state.with(each).format()).placement()).isEqualTo(each);
        }
    }
}
