package dev.leasehold.internal.turns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.turns.WaitingLines.Place;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a waiter asks the store, alone and beside other processes that wait for the same name. */
class WaitingLinesTest {
    private static final String NAME = "job";
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Long enough to show that a waiter does not ask, and shorter than the delays of these tests. */
    private static final Duration MOMENT = Duration.ofMillis(50);

    /** Longer than the longest delay. */
    private static final Duration DELAYED = Duration.ofMillis(700);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration WINDOW = Duration.ofMillis(400);

    private final BlockingQueue<TurnMessage.Notice> announced = new LinkedBlockingQueue<>();
    private final WaitingLines lines = new WaitingLines(new LongestDelays(), (name, message) -> announced.add(message));

    /** Every delay is as long as it can be. */
    private static final class LongestDelays implements Ids {
        @Override
        public String unique() {
            return "this-process";
        }

        @Override
        public long below(long bound) {
            return bound - 1;
        }
    }

    @AfterEach
    void close() {
        lines.close();
    }

    @Test
    void onlyTheFirstInLineIsWoken() throws Exception {
        Place first = lines.join(NAME);
        Place second = lines.join(NAME);
        lines.heard(NAME, freed(1));
        assertThat(asks(first)).isTrue();
        assertThat(asks(second)).isFalse();
    }

    @Test
    void signalThatIsNotUsedGoesToTheNext() throws Exception {
        Place first = lines.join(NAME);
        Place second = lines.join(NAME);
        lines.heard(NAME, freed(1));
        first.leave();
        assertThat(asks(second)).isTrue();
    }

    @Test
    void signalThatIsNotUsedYetGoesToTheNextWithItsDelay() throws Exception {
        Place first = lines.join(NAME);
        Place second = lines.join(NAME);
        lines.heard(NAME, freed(1, WINDOW));
        first.leave();
        lines.heard(NAME, new TurnMessage.Granted(2, TTL));
        assertThat(asksWithin(second, DELAYED)).isFalse();
    }

    @Test
    void processThatWaitsAloneAsksAtOnceAndSaysNothing() throws Exception {
        Place place = lines.join(NAME);
        for (int token = 1; token < 5; token++) {
            lines.heard(NAME, freed(token));
            assertThat(asks(place)).isTrue();
            lines.answered(NAME, granted(token + 1), TTL);
            assertThat(lines.windowMicros(NAME)).isZero();
        }
        assertThat(announcement(MOMENT)).isNull();
    }

    /** A newcomer knows it too: otherwise it would ask first each time, and those that came before it would never have their turn. */
    @Test
    void everybodyUsesTheWindowOfTheMessage() throws Exception {
        Place place = lines.join(NAME);
        lines.heard(NAME, freed(1, WINDOW));
        assertThat(asks(place)).isFalse();
    }

    @Test
    void whoAskedInVainLetsTheOthersWaitAfterItsNextGrant() throws Exception {
        Place place = lines.join(NAME);
        askInVain(place, 1);
        askInVain(place, 2);
        lines.answered(NAME, granted(4), TTL);
        assertThat(announcement(MOMENT)).as("nobody lets a time pass yet").isNull();
        place.leave();
        assertThat(lines.isEmpty()).isTrue();
        assertThat(lines.windowMicros(NAME)).as("for the release").isGreaterThan(2000);
    }

    /** Where one is always faster, it does not know that others ask in vain. */
    @Test
    void whoAlwaysAsksInVainTellsTheOthers() throws Exception {
        Place place = lines.join(NAME);
        for (int token = 1; token <= 3; token++) {
            askInVain(place, token);
        }
        assertThat(announcement(PATIENCE)).isInstanceOf(TurnMessage.Crowded.class);
        assertThat(lines.windowMicros(NAME)).isGreaterThan(2000);
    }

    /** As on Redis, where everybody who comes is woken once, when it is sure to hear of a release. */
    @Test
    void whoComesWhileTheLeaseIsHeldHasNotAskedInVain() throws Exception {
        Place place = lines.join(NAME);
        askInVain(place, 1);
        for (int i = 0; i < 10; i++) {
            Place newcomer = lines.join(NAME);
            newcomer.wake();
            assertThat(asks(newcomer)).isTrue();
            lines.answered(NAME, busy(2), TTL);
        }
        assertThat(announcement(MOMENT)).isNull();
        assertThat(lines.windowMicros(NAME)).isZero();
    }

    /** Nobody would hear that it has the lease, so to wait longer would only make it even faster than us. */
    @Test
    void windowStaysShortBesideSomebodyWhoTellsNothing() throws Exception {
        Place place = lines.join(NAME);
        lines.heard(NAME, freed(1, WINDOW));
        for (int token = 1; token < 40; token++) {
            place.await(PATIENCE);
            lines.answered(NAME, busy(token + 1), TTL);
            lines.heard(NAME, freed(token + 1));
            assertThat(lines.windowMicros(NAME)).isLessThan(token < 20 ? WINDOW.toNanos() / 1000 : 10_000);
        }
    }

    /** The holder has not heard it, because it does not wait. */
    @Test
    void windowThatOthersAskForOutlivesTheNextRelease() throws Exception {
        Place place = lines.join(NAME);
        lines.heard(NAME, new TurnMessage.Crowded(WINDOW));
        lines.heard(NAME, freed(1, Duration.ofMillis(1)));
        assertThat(lines.windowMicros(NAME)).isEqualTo(WINDOW.toNanos() / 1000);
        assertThat(asks(place)).isFalse();
    }

    @Test
    void whoLeavesWhileItIsHeldBackPassesThatOn() throws Exception {
        Place first = lines.join(NAME);
        Place second = lines.join(NAME);
        lines.heard(NAME, freed(1, WINDOW));
        lines.heard(NAME, new TurnMessage.Granted(2, DELAYED));
        first.leave();
        assertThat(asksWithin(second, PATIENCE)).isTrue();
    }

    @Test
    void whoHearsThatTooManyAskLetsMoreTimePass() throws Exception {
        Place place = lines.join(NAME);
        lines.heard(NAME, new TurnMessage.Crowded(WINDOW));
        lines.heard(NAME, new TurnMessage.Crowded(Duration.ofMillis(2)));
        lines.heard(NAME, freed(1));
        assertThat(asks(place)).isFalse();
    }

    @Test
    void grantIsAnnouncedWhereOthersMayBeAboutToAsk() throws Exception {
        lines.join(NAME);
        lines.heard(NAME, freed(1, WINDOW));
        lines.answered(NAME, granted(2), TTL);
        assertThat(announcement(PATIENCE)).isEqualTo(new TurnMessage.Granted(2, TTL));
    }

    /** In either order of what they report. */
    @Test
    void threadsOfOneProcessAskNotInVain() throws Exception {
        Place place = lines.join(NAME);
        for (int token = 1; token < 20; token += 2) {
            lines.heard(NAME, freed(token));
            assertThat(asks(place)).isTrue();
            lines.answered(NAME, granted(token + 1), TTL);
            lines.answered(NAME, busy(token + 1), TTL);
            lines.heard(NAME, freed(token + 1));
            assertThat(asks(place)).isTrue();
            lines.answered(NAME, busy(token + 2), TTL);
            lines.answered(NAME, busy(token + 2), TTL);
            lines.answered(NAME, granted(token + 2), TTL);
        }
        assertThat(lines.windowMicros(NAME)).isZero();
    }

    @Test
    void grantToSomebodyElseHoldsAWaiterBack() throws Exception {
        Place place = lines.join(NAME);
        lines.heard(NAME, freed(1, WINDOW));
        lines.heard(NAME, new TurnMessage.Granted(2, TTL));
        assertThat(asksWithin(place, DELAYED)).isFalse();
        lines.heard(NAME, freed(2, WINDOW));
        assertThat(asksWithin(place, PATIENCE)).isTrue();
    }

    @Test
    void grantToAnotherThreadHoldsAWaiterBack() throws Exception {
        Place place = lines.join(NAME);
        lines.heard(NAME, freed(1, WINDOW));
        lines.answered(NAME, granted(2), TTL);
        assertThat(asksWithin(place, DELAYED)).isFalse();
    }

    /** It comes after the release: from a process that was frozen, or over a slow connection. */
    @Test
    void lateMessageHoldsNobodyBack() throws Exception {
        Place place = lines.join(NAME);
        lines.heard(NAME, freed(2, WINDOW));
        lines.heard(NAME, new TurnMessage.Granted(2, Duration.ofHours(1)));
        assertThat(asksWithin(place, PATIENCE)).isTrue();
    }

    @Test
    void waiterThatIsHeldBackAsksWhenTheLeaseMayHaveExpired() throws Exception {
        Place place = lines.join(NAME);
        lines.heard(NAME, freed(1, WINDOW));
        lines.heard(NAME, new TurnMessage.Granted(2, DELAYED));
        assertThat(asksWithin(place, PATIENCE)).isTrue();
    }

    @Test
    void onlySoManyWindowsAreRemembered() {
        for (int i = 0; i < 1001; i++) {
            Place place = lines.join("job-" + i);
            lines.heard("job-" + i, freed(1, WINDOW));
            place.leave();
        }
        assertThat(lines.isEmpty()).isTrue();
        assertThat(lines.names()).isEmpty();
        assertThat(lines.windowMicros("job-999")).isZero();
    }

    @Test
    void messageThatCannotBeSentHarmsNobody() throws Exception {
        BlockingQueue<Long> tried = new LinkedBlockingQueue<>();
        try (WaitingLines failing = new WaitingLines(new LongestDelays(), (name, message) -> {
            tried.add(message instanceof TurnMessage.Granted granted ? granted.token() : 0L);
            throw new IllegalStateException("no connection");
        })) {
            failing.join(NAME);
            for (int token = 1; token < 5; token++) {
                failing.heard(NAME, freed(token, WINDOW));
                failing.answered(NAME, granted(token + 1), TTL);
                assertThat(tried.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(token + 1);
            }
        }
    }

    @Test
    void closingWakesEverybody() throws Exception {
        Place place = lines.join(NAME);
        lines.close();
        assertThat(asks(place)).isTrue();
    }

    private void askInVain(Place place, long token) throws InterruptedException {
        lines.heard(NAME, freed(token));
        assertThat(asks(place)).isTrue();
        lines.answered(NAME, busy(token + 1), TTL);
    }

    private static TurnMessage.Freed freed(long token) {
        return freed(token, Duration.ZERO);
    }

    private static TurnMessage.Freed freed(long token, Duration window) {
        return new TurnMessage.Freed(token, window);
    }

    private static boolean asks(Place place) throws InterruptedException {
        return asksWithin(place, MOMENT);
    }

    private static boolean asksWithin(Place place, Duration atMost) throws InterruptedException {
        long began = System.nanoTime();
        place.await(atMost);
        return System.nanoTime() - began < atMost.toNanos();
    }

    private TurnMessage.@Nullable Notice announcement(Duration atMost) throws InterruptedException {
        return announced.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Acquisition busy(long token) {
        return new Acquisition.Busy(FencingToken.of(token), Holder.of("somebody"), LONG);
    }

    private static Acquisition granted(long token) {
        LeaseName name = LeaseName.of(NAME);
        AttemptId attempt = AttemptId.of("attempt-1");
        Transfer transfer = new Transfer(
                FencingToken.of(token), attempt, Holder.of("me"), TransferReason.FIRST, null, Instant.EPOCH);
        return new Acquisition.Granted(
                new Grant(name, FencingToken.of(token), attempt, StoreId.of("store-01")), TTL, transfer);
    }
}
