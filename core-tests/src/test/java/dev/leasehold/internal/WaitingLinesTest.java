package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.WaitingLines.Place;
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

    private final BlockingQueue<GrantNotice> announced = new LinkedBlockingQueue<>();
    private final WaitingLines lines = new WaitingLines(new LongestDelays(), (name, notice) -> announced.add(notice));

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
        lines.freed(NAME, 1);
        assertThat(asks(first)).isTrue();
        assertThat(asks(second)).isFalse();
    }

    @Test
    void signalThatIsNotUsedGoesToTheNext() throws Exception {
        Place first = lines.join(NAME);
        Place second = lines.join(NAME);
        lines.freed(NAME, 1);
        first.leave();
        assertThat(asks(second)).isTrue();
    }

    @Test
    void processWithoutRivalsAsksAtOnceAndSaysNothing() throws Exception {
        Place place = lines.join(NAME);
        lines.freed(NAME, 1);
        assertThat(asks(place)).isTrue();
        lines.answered(NAME, granted(2), TTL);
        lines.answered(NAME, busy(2), TTL);
        assertThat(announcement(MOMENT)).isNull();
    }

    @Test
    void processThatAskedInVainTellsOfItsNextGrant() throws Exception {
        lines.join(NAME);
        lines.freed(NAME, 1);
        lines.answered(NAME, busy(2), TTL);
        lines.answered(NAME, granted(3), TTL);
        assertThat(announcement(TTL)).isEqualTo(new GrantNotice(3, TTL, "this-process", 1));
    }

    /** A thread of this process was faster than another one, which is no reason to tell anybody. */
    @Test
    void threadsOfOneProcessAreNoRivals() throws Exception {
        lines.join(NAME);
        lines.freed(NAME, 1);
        lines.answered(NAME, granted(2), TTL);
        lines.answered(NAME, busy(2), TTL);
        lines.answered(NAME, granted(3), TTL);
        assertThat(announcement(MOMENT)).isNull();
    }

    @Test
    void grantOfARivalHoldsAWaiterBack() throws Exception {
        Place place = lines.join(NAME);
        hearOfManyRivals();
        lines.freed(NAME, 200);
        lines.granted(NAME, new GrantNotice(201, TTL, "rival", 0));
        assertThat(asksWithin(place, DELAYED)).isFalse();
        lines.freed(NAME, 201);
        assertThat(asksWithin(place, PATIENCE)).isTrue();
    }

    /** It comes after the release: from a process that was frozen, or over a slow connection. */
    @Test
    void lateNoticeHoldsNobodyBack() throws Exception {
        Place place = lines.join(NAME);
        hearOfManyRivals();
        lines.freed(NAME, 201);
        lines.granted(NAME, new GrantNotice(201, TTL, "rival", 0));
        assertThat(asksWithin(place, PATIENCE)).isTrue();
    }

    @Test
    void waiterThatIsHeldBackAsksWhenTheLeaseMayHaveExpired() throws Exception {
        Place place = lines.join(NAME);
        hearOfManyRivals();
        lines.freed(NAME, 200);
        lines.granted(NAME, new GrantNotice(201, DELAYED.multipliedBy(2), "rival", 0));
        assertThat(asksWithin(place, DELAYED)).isFalse();
        lines.freed(NAME, 201);
        lines.granted(NAME, new GrantNotice(202, DELAYED, "rival", 0));
        assertThat(asksWithin(place, PATIENCE)).isTrue();
    }

    @Test
    void signalThatIsNotUsedYetGoesToTheNextWithItsDelay() throws Exception {
        Place first = lines.join(NAME);
        Place second = lines.join(NAME);
        hearOfManyRivals();
        lines.freed(NAME, 200);
        first.leave();
        long began = System.nanoTime();
        second.await(PATIENCE);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(MOMENT, PATIENCE);
    }

    @Test
    void rivalsAreRememberedWhileNobodyWaits() throws Exception {
        Place first = lines.join(NAME);
        lines.granted(NAME, new GrantNotice(1, TTL, "rival", 5));
        first.leave();
        assertThat(lines.isEmpty()).isTrue();
        assertThat(lines.names()).isEmpty();
        lines.answered(NAME, granted(2), TTL);
        assertThat(announcement(TTL)).isEqualTo(new GrantNotice(2, TTL, "this-process", 1));
    }

    @Test
    void onlySoManyNamesAreRemembered() throws Exception {
        for (int i = 0; i < 1001; i++) {
            Place place = lines.join("job-" + i);
            lines.granted("job-" + i, new GrantNotice(1, TTL, "rival", 0));
            place.leave();
        }
        lines.answered("job-1000", granted(2), TTL);
        assertThat(announcement(MOMENT)).isNull();
        assertThat(lines.isEmpty()).isTrue();
    }

    @Test
    void messageThatCannotBeSentHarmsNobody() throws Exception {
        BlockingQueue<GrantNotice> tried = new LinkedBlockingQueue<>();
        try (WaitingLines failing = new WaitingLines(new LongestDelays(), (name, notice) -> {
            tried.add(notice);
            throw new IllegalStateException("no connection");
        })) {
            failing.join(NAME);
            failing.granted(NAME, new GrantNotice(1, TTL, "rival", 0));
            for (int token = 2; token < 5; token++) {
                failing.answered(NAME, granted(token), TTL);
                assertThat(tried.poll(TTL.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            }
        }
    }

    @Test
    void closingWakesEverybody() throws Exception {
        Place place = lines.join(NAME);
        lines.close();
        assertThat(asks(place)).isTrue();
    }

    @Test
    void noticeIsReadAsItWasWritten() {
        GrantNotice notice = new GrantNotice(Long.MAX_VALUE, Duration.ofDays(365), "abcdefghijklmnopqrstuvwxyz", 19);
        assertThat(GrantNotice.parse(notice.text())).contains(notice);
    }

    @Test
    void nonsenseIsNoNotice() {
        for (String text : new String[] {
            "",
            "granted",
            "granted:1:2:me",
            "granted:1:2:me:3:4",
            "granted:0:2:me:3",
            "granted:1:-2:me:3",
            "granted:1:2:me:x",
            "granted:1:99999999999999999999:me:3",
            "released:1:2:me:3",
            "granted:1:2:" + "x".repeat(100) + ":3"
        }) {
            assertThat(GrantNotice.parse(text)).as(text).isEmpty();
        }
    }

    /** From now on, a delay is half a second. */
    private void hearOfManyRivals() {
        for (int i = 0; i < 200; i++) {
            lines.granted(NAME, new GrantNotice(i + 1, TTL, "rival-" + i, 200));
        }
    }

    private static boolean asks(Place place) throws InterruptedException {
        return asksWithin(place, MOMENT);
    }

    private static boolean asksWithin(Place place, Duration atMost) throws InterruptedException {
        long began = System.nanoTime();
        place.await(atMost);
        return System.nanoTime() - began < atMost.toNanos();
    }

    private @Nullable GrantNotice announcement(Duration atMost) throws InterruptedException {
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
