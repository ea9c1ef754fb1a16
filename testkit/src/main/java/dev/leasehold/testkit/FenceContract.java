package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Fence;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Tests that every fenced target must pass. Extend this class and implement how the target is
 * opened, written and read; every test needs a new target.
 *
 * <p>The contract cannot show that a crash between two instructions leaves either the old content
 * or the new content, whole. Test that with real processes that are killed.
 *
 * @param <W> what the fence under test writes
 */
public abstract class FenceContract<W> {
    protected static final LeaseName NAME = LeaseName.of("nightly/report");
    protected static final StoreId STORE = StoreId.of("store-of-the-contract");

    protected Fence<W> fence;

    /**
     * Opens the target of this test. Further calls in one test open further clients of the
     * <em>same</em> target.
     */
    protected abstract Fence<W> openFence();

    /** A write that makes this text the whole content of the target. */
    protected abstract W write(String content);

    /** The content as any reader sees it, read without the fence; empty if nothing was written. */
    protected abstract Optional<String> read();

    /**
     * How often each racing writer writes. Override it with a smaller number where a write is slow.
     */
    protected int writesOfEachRacer() {
        return 15;
    }

    @Nested
    class Races extends FenceRaceTests<W> {
        Races() {
            super(FenceContract.this);
        }
    }

    @Nested
    class Rebinding extends FenceRebindTests<W> {
        Rebinding() {
            super(FenceContract.this);
        }
    }

    @BeforeEach
    protected void openFirstClient() {
        fence = openFence();
    }

    @Test
    void raiseWritesNothing() {
        Optional<String> before = read();
        assertAdmitted(fence.raise(grant(1)), 1);
        assertAdmitted(fence.raise(grant(1)), 1);
        assertThat(read()).isEqualTo(before);
        assertAdmitted(fence.admit(grant(1), write("after the raise")), 1);
        assertContent("after the raise");
    }

    @Test
    void staleTokenIsRefusedAndChangesNothing() {
        assertAdmitted(fence.admit(grant(2), write("of two")), 2);
        assertStale(fence.admit(grant(1), write("of a zombie")), 2);
        assertStale(fence.admitOnce(grant(1), write("of a zombie")), 2);
        assertStale(fence.raise(grant(1)), 2);
        assertContent("of two");
        Admission refusal = openFence().admit(grant(1), write("of a zombie elsewhere"));
        assertStale(refusal, 2);
        assertThat(((Admission.Refused) refusal).explanation()).contains("1", "2", NAME.value());
        assertContent("of two");
    }

    @Test
    void raiseBeforeFirstReadStopsAnOlderWrite() {
        assertAdmitted(fence.admit(grant(1), write("of one")), 1);
        assertAdmitted(openFence().raise(grant(2)), 2);
        assertContent("of one");
        assertStale(fence.admit(grant(1), write("too late")), 2);
        assertContent("of one");
    }

    @Test
    void tokenNeverGoesBackAfterRefusal() {
        assertAdmitted(fence.raise(grant(5)), 5);
        assertStale(fence.admit(grant(3), write("three")), 5);
        assertStale(fence.admit(grant(4), write("four")), 5);
        assertStale(fence.raise(grant(4)), 5);
        assertAdmitted(fence.admit(grant(5), write("five")), 5);
        assertAdmitted(fence.admit(grant(9), write("nine")), 9);
        assertStale(fence.admit(grant(5), write("five again")), 9);
        assertContent("nine");
    }

    @Test
    void oneGrantAdmitsManyWrites() {
        for (int i = 0; i < 5; i++) {
            assertAdmitted(fence.admit(grant(1), write("version " + i)), 1);
            assertContent("version " + i);
        }
    }

    @Test
    void equalTokenFromAnotherAttemptMeansTheStoreWentBack() {
        assertAdmitted(fence.admit(grant(7), write("before the failover")), 7);
        Grant twin = grant(7, "attempt-after-failover");
        for (Admission answer : List.of(
                fence.raise(twin), fence.admit(twin, write("twin")), fence.admitOnce(twin, write("twin once")))) {
            assertThat(answer).isInstanceOf(Admission.StoreWentBack.class);
            assertThat(((Admission.Refused) answer).explanation())
                    .contains("went back in time", "leasehold repair " + NAME, "--above 7");
        }
        assertContent("before the failover");
        assertAdmitted(fence.admit(grant(8), write("after the repair")), 8);
        assertContent("after the repair");
    }

    @Test
    void bareTokenIsJudgedByTokenAlone() {
        assertAdmitted(fence.admit(grant(2), write("whole")), 2);
        assertStale(fence.admit(bare(1), write("bare, old")), 2);
        assertAdmitted(fence.admit(bare(2), write("bare")), 2);
        assertContent("bare");
        assertAdmitted(fence.admit(bare(3), write("bare, newer")), 3);
        assertStale(fence.admit(grant(2), write("whole, old")), 3);
        assertAdmitted(fence.admit(grant(3), write("whole, same token")), 3);
        assertContent("whole, same token");
    }

    @Test
    void bareTokenKeepsTheAttemptThatTheFenceKnows() {
        assertAdmitted(fence.raise(grant(2)), 2);
        assertAdmitted(fence.admit(bare(2), write("bare")), 2);
        assertThat(fence.admit(grant(2, "attempt-of-a-twin"), write("twin")))
                .isInstanceOf(Admission.StoreWentBack.class);
        Grant elsewhere =
                new Grant(NAME, FencingToken.of(3), AttemptId.of("attempt-elsewhere"), StoreId.of("another-store"));
        assertThatThrownBy(() -> fence.admit(elsewhere, write("elsewhere")))
                .isInstanceOf(IllegalArgumentException.class);
        assertContent("bare");
    }

    @Test
    void wholeGrantAddsTheAttemptThatABareTokenLacks() {
        assertAdmitted(fence.raise(bare(4)), 4);
        assertAdmitted(fence.raise(grant(4)), 4);
        assertThat(fence.raise(grant(4, "attempt-of-a-twin"))).isInstanceOf(Admission.StoreWentBack.class);
    }

    @Test
    void onceAdmitsOneWrite() {
        assertAdmitted(fence.admitOnce(grant(1), write("the one")), 1);
        Admission second = fence.admitOnce(grant(1), write("another"));
        assertThat(second).isInstanceOf(Admission.OnceUsed.class);
        assertThat(((Admission.OnceUsed) second).once().value()).isEqualTo(1);
        assertContent("the one");
    }

    @Test
    void sameContentAgainIsAlreadyWritten() {
        assertAdmitted(fence.admitOnce(grant(1), write("the one")), 1);
        assertThat(openFence().admitOnce(grant(1), write("the one")))
                .isEqualTo(new Admission.AlreadyWritten(FencingToken.of(1)));
        assertContent("the one");
    }

    @Test
    void raiseDoesNotUseUpTheOneWrite() {
        assertAdmitted(fence.raise(grant(1)), 1);
        assertAdmitted(fence.admit(grant(1), write("draft")), 1);
        assertAdmitted(fence.admitOnce(grant(1), write("final")), 1);
        assertContent("final");
    }

    @Test
    void successorHasItsOwnOneWrite() {
        assertAdmitted(fence.admitOnce(grant(1), write("of one")), 1);
        assertAdmitted(fence.admitOnce(grant(2), write("of two")), 2);
        assertStale(fence.admitOnce(grant(1), write("of one")), 2);
        assertAdmitted(fence.admitOnce(grant(3), write("of two")), 3);
        assertThat(fence.admitOnce(grant(3), write("of three"))).isInstanceOf(Admission.OnceUsed.class);
        assertContent("of two");
    }

    @Test
    void refusedWriteDoesNotUseUpTheOneWrite() {
        assertAdmitted(fence.admitOnce(grant(1), write("of one")), 1);
        assertThat(fence.admitOnce(grant(1), write("other"))).isInstanceOf(Admission.OnceUsed.class);
        assertAdmitted(fence.raise(grant(2)), 2);
        assertAdmitted(fence.admitOnce(grant(2), write("of two")), 2);
        assertContent("of two");
    }

    @Test
    protected void anotherLeaseNameIsAUsageErrorThatNamesTheLease() {
        assertAdmitted(fence.admit(grant(1), write("guarded")), 1);
        Grant other = new Grant(LeaseName.of("other/lease"), FencingToken.of(9), AttemptId.of("attempt-of-9"), STORE);
        assertUsageError(other);
        assertUsageError(Grant.bare(other.name(), other.token()));
    }

    @Test
    void anotherStoreIsAUsageError() {
        assertAdmitted(fence.admit(grant(1), write("guarded")), 1);
        assertUsageError(
                new Grant(NAME, FencingToken.of(9), AttemptId.of("attempt-of-9"), StoreId.of("another-store")));
    }

    @Test
    void unusualContentIsWrittenUnchanged() {
        List<String> contents = List.of(
                "",
                "\n",
                "no newline at the end",
                "two\r\nlines\n",
                "caf\u00e9 \u4f60\u597d \ud83d\ude00",
                "x".repeat(300_000));
        for (int i = 0; i < contents.size(); i++) {
            assertAdmitted(fence.admit(grant(i + 1), write(contents.get(i))), i + 1);
            assertContent(contents.get(i));
        }
    }

    @Test
    void largestTokensAreComparedExactly() {
        assertAdmitted(fence.admit(grant(Long.MAX_VALUE - 1), write("nearly")), Long.MAX_VALUE - 1);
        assertAdmitted(fence.admit(grant(Long.MAX_VALUE), write("last")), Long.MAX_VALUE);
        assertStale(fence.admit(grant(Long.MAX_VALUE - 1), write("nearly")), Long.MAX_VALUE);
        assertContent("last");
    }

    private void assertUsageError(Grant other) {
        assertThatThrownBy(() -> fence.raise(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(NAME.value());
        assertThatThrownBy(() -> fence.admit(other, write("other")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(NAME.value());
        assertThatThrownBy(() -> fence.admitOnce(other, write("other")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(NAME.value());
        assertContent("guarded");
        assertAdmitted(fence.admit(grant(1), write("guarded")), 1);
    }

    /** The grant that a correct store issues with this token. */
    protected static Grant grant(long token) {
        return grant(token, "attempt-of-" + token);
    }

    protected static Grant grant(long token, String attempt) {
        return new Grant(NAME, FencingToken.of(token), AttemptId.of(attempt), STORE);
    }

    protected static Grant bare(long token) {
        return Grant.bare(NAME, FencingToken.of(token));
    }

    protected final void assertContent(String content) {
        assertThat(read()).contains(content);
    }

    protected static void assertAdmitted(Admission admission, long token) {
        assertThat(admission).isEqualTo(new Admission.Admitted(FencingToken.of(token)));
    }

    protected static void assertStale(Admission admission, long raised) {
        assertThat(admission).isInstanceOf(Admission.Stale.class);
        assertThat(((Admission.Stale) admission).raised().value()).isEqualTo(raised);
    }
}
