package dev.leasehold.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leases;
import dev.leasehold.jobs.Jobs;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EventReaderTest {
    private static final LeaseName NIGHTLY = LeaseName.of("nightly");
    private static final Holder ALICE = Holder.of("alice");
    private static final Duration TTL = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock();
    private final LeaseStore store = new MemoryLeaseStore(StoreId.of("0123456789abcdef"), clock);
    private int attempts;

    private AttemptId attempt() {
        return AttemptId.of(String.format("attempt-%06d", attempts++));
    }

    private Grant acquire(LeaseName name) {
        Acquisition answer = store.acquire(name, attempt(), ALICE, TTL);
        return ((Acquisition.Granted) answer).grant();
    }

    private void log(LeaseName name, String kind, FencingToken token) {
        new RunLog(store.register()).append(name, new RunEntry(Instant.EPOCH, kind, token, ALICE, TTL, "a detail"));
    }

    private List<Event> settled(EventReader reader) {
        // The second entry of a log in one tick of the clock is a microsecond later.
        clock.advance(EventReader.SETTLING.plusMillis(1));
        return reader.read();
    }

    private static List<String> shown(List<Event> events) {
        return events.stream()
                .map(event -> event.type().word() + " " + event.name() + " " + event.token() + " " + event.outcome())
                .toList();
    }

    @Test
    void everythingThatHappensIsAnEventInItsOrder() {
        acquire(LeaseName.of("earlier"));
        EventReader reader = EventReader.fromNow(store);

        Grant first = acquire(NIGHTLY);
        clock.advance(Duration.ofMillis(1));
        log(NIGHTLY, "skipped_overlap", null);
        clock.advance(TTL);
        Grant second = acquire(NIGHTLY);
        clock.advance(Duration.ofMillis(1));
        log(NIGHTLY, "lost_superseded", first.token());
        log(NIGHTLY, "stale_refused", first.token());
        log(NIGHTLY, "ran", second.token());
        clock.advance(Duration.ofMillis(1));
        store.intervene(Intervention.takeover(NIGHTLY, attempt(), Holder.of("bob"), TTL, Note.of("it hangs")));
        store.intervene(Intervention.cancel(NIGHTLY, attempt(), Holder.of("bob"), Note.of("enough")));
        store.intervene(Intervention.repair(NIGHTLY, attempt(), Holder.of("bob"), 40, Note.of("restored")));

        List<Event> events = settled(reader);
        assertThat(shown(events))
                .containsExactly(
                        "acquired nightly 1 first",
                        "skipped nightly null skipped_overlap",
                        "acquired nightly 2 expired",
                        "lost nightly 1 lost_superseded",
                        "refused nightly 1 stale_refused",
                        "ended nightly 2 ran",
                        "acquired nightly 3 takeover",
                        "cancelled nightly 4 cancelled",
                        "recovered nightly 41 recovered");
        assertThat(events.get(6).detail()).isEqualTo("it hangs");
        assertThat(events).isSortedAccordingTo((a, b) -> a.position().compareTo(b.position()));
        assertThat(settled(reader)).isEmpty();
    }

    @Test
    void anEventOfTheLastTwoSecondsWaitsForThoseBeforeIt() {
        EventReader reader = EventReader.fromNow(store);
        acquire(NIGHTLY);

        assertThat(reader.read()).isEmpty();
        clock.advance(EventReader.SETTLING.minusMillis(1));
        assertThat(reader.read()).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(reader.read()).hasSize(1);
    }

    /** Two servers, of which now this and now that one answers. */
    @Test
    void aReaderThatTakesOverContinuesWithoutGapOrRepeat() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            EventReader reader = EventReader.fromNow(store);
            EventPosition start = reader.position();
            List<Event> seen = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                happens(LeaseName.of("name-" + seed + "-" + random.nextInt(3)), random);
                if (random.nextInt(3) == 0) {
                    clock.advance(Duration.ofMillis(random.nextInt(1500)));
                }
                if (random.nextInt(4) == 0) {
                    seen.addAll(reader.read());
                }
                if (random.nextInt(8) == 0) {
                    reader = EventReader.after(
                            store, EventPosition.parse(reader.position().toString()));
                }
            }
            seen.addAll(settled(reader));

            assertThat(seen).as("seed %s", seed).isEqualTo(settled(EventReader.after(store, start)));
            assertThat(seen).isNotEmpty().doesNotHaveDuplicates();
        }
    }

    private void happens(LeaseName name, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> store.acquire(name, attempt(), ALICE, Duration.ofSeconds(1));
            case 1 ->
                store.inspect(name)
                        .ifPresent(lease ->
                                store.release(new Grant(name, lease.lease().token(), null, null), Duration.ZERO));
            case 2 -> log(name, "skipped_overlap", null);
            default ->
                store.intervene(
                        Intervention.takeover(name, attempt(), ALICE, Duration.ofSeconds(1), Note.of("because")));
        }
    }

    @Test
    void whatTheStoreNoLongerKeepsIsReportedAsMissed() {
        EventReader reader = EventReader.fromNow(store);
        for (int i = 0; i < 200; i++) {
            store.release(acquire(NIGHTLY), Duration.ZERO);
            clock.advance(Duration.ofMillis(1));
        }

        List<Event> events = settled(reader);

        assertThat(events)
                .filteredOn(event -> event.type() == Event.Type.MISSED)
                .hasSize(1);
        assertThat(events.get(events.size() - 1).token()).isEqualTo(FencingToken.of(200));
    }

    @Test
    void moreEventsThanFitIntoMemoryAreLeftOutAndThatIsReported() {
        for (int i = 0; i < EventReader.MOST_AT_ONCE + 10; i++) {
            acquire(LeaseName.of("many-" + i));
        }

        List<Event> events = settled(EventReader.after(store, EventPosition.parse("0")));

        assertThat(events).hasSize(EventReader.MOST_AT_ONCE + 1);
        assertThat(events.get(0).type()).isEqualTo(Event.Type.MISSED);
    }

    @Test
    void aLogThatCannotBeReadDoesNotHideTheOthers() {
        EventReader reader = EventReader.fromNow(store);
        store.register().compareAndSet("runs/broken", CasRegister.ABSENT, "not a log");
        log(NIGHTLY, "ran", FencingToken.of(1));

        assertThat(shown(settled(reader))).containsExactly("ended nightly 1 ran");
    }

    @Test
    void theNamesOfAnExaminationAreLeftOut() {
        EventReader reader = EventReader.fromNow(store);
        acquire(LeaseName.of(LeaseStore.SCRATCH_PREFIX + "a"));

        assertThat(settled(reader)).isEmpty();
    }

    @Test
    void manyNamesAreReadInPages() {
        EventReader reader = EventReader.fromNow(store);
        for (int i = 0; i < 1200; i++) {
            acquire(LeaseName.of("many-" + i));
            log(LeaseName.of("many-" + i), "ran", FencingToken.of(1));
        }

        assertThat(settled(reader)).hasSize(2400);
    }

    @Test
    void outcomesOfSlotsAreEvents() throws Exception {
        LeaseStore real = new MemoryLeaseStore();
        EventReader reader = EventReader.fromNow(real);
        List<Event> events = new ArrayList<>();
        try (Leases leases = Leases.over(real).build();
                Jobs jobs = Jobs.over(leases)
                        .job("nightly", job -> job.cron("* * * * * *").run(run -> {}))
                        .start()) {
            for (int i = 0; i < 100 && events.stream().noneMatch(e -> e.type() == Event.Type.SLOT); i++) {
                Thread.sleep(100);
                events.addAll(reader.read());
            }
        }

        assertThat(events)
                .filteredOn(event -> event.type() == Event.Type.SLOT)
                .isNotEmpty()
                .allSatisfy(event -> {
                    assertThat(event.outcome()).isEqualTo("ran");
                    assertThat(event.slot()).isNotNull();
                });
    }

    @Test
    void aTextThatIsNoPositionIsRefused() {
        for (String text : List.of("", "x", "-1", "1e9", ".lease", "99999999999999999999", "1\n2", "\u0661")) {
            assertThatThrownBy(() -> EventPosition.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
        for (String text : List.of("0", "99999999999999999", "1763300000000000.run.0000000000000000000.a b")) {
            assertThat(EventPosition.parse(text)).hasToString(text);
        }
    }

    /** Clients of a server may write keys of their own into the register. */
    @Test
    void aKeyThatHoldsNoNameHidesNothing() {
        for (String key : List.of("runs/not a name", "runs/", "slots/not a name")) {
            assertThat(store.register().compareAndSet(key, CasRegister.ABSENT, "text"))
                    .isTrue();
        }
        EventReader reader = EventReader.fromNow(store);
        log(NIGHTLY, "failed", FencingToken.of(1));

        assertThat(shown(settled(reader))).containsExactly("ended nightly 1 failed");
        assertThat(new Conditions(store, TTL).read(damaged -> {})).isEmpty();
        assertThat(new Conditions(store, TTL).refusals(TTL, damaged -> {})).isEmpty();
    }

    @Test
    void aHistoryThatIsDamagedHidesOnlyItself() {
        LeaseStore damaged = (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (self, method, arguments) -> {
                    if (method.getName().equals("history") && arguments[0].equals(NIGHTLY)) {
                        throw new StoreCorruptException("the history of nightly is damaged");
                    }
                    return method.invoke(store, arguments);
                });
        EventReader reader = EventReader.fromNow(damaged);
        acquire(NIGHTLY);
        acquire(LeaseName.of("other"));

        assertThat(shown(settled(reader)))
                .containsExactlyInAnyOrder("missed nightly null missed", "acquired other 1 first");
        assertThat(settled(reader)).isEmpty();
    }

    /** Otherwise the memory of a server grows with every name that there ever was. */
    @Test
    void aForgottenNameIsNotRememberedAndBeginsAnew() {
        EventReader reader = EventReader.fromNow(store);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 600; i++) {
                LeaseName name = LeaseName.of("short-" + i);
                Grant grant = acquire(name);
                log(name, "ran", grant.token());
                store.release(grant, Duration.ZERO);
            }
            assertThat(settled(reader)).hasSize(1200);
            assertThat(reader.names()).isEqualTo(1200);
            for (int i = 0; i < 600; i++) {
                forget(LeaseName.of("short-" + i));
            }
            assertThat(settled(reader)).isEmpty();
            assertThat(reader.names()).isZero();
        }
    }

    private void forget(LeaseName name) {
        FencingToken token = store.inspect(name).orElseThrow().lease().token();
        assertThat(store.forget(List.of(new ForgetRequest(name, token)))).containsExactly(Forgetting.FORGOTTEN);
        CasRegister register = store.register();
        assertThat(register.remove("runs/" + name, register.read("runs/" + name).version()))
                .isTrue();
    }

    /** As one with a damaged record, until it is restored. */
    @Test
    void aNameThatAListLeavesOutIsRemembered() {
        AtomicBoolean leavesOut = new AtomicBoolean();
        LeaseStore damaged = (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (self, method, arguments) -> {
                    if (leavesOut.get() && method.getName().equals("list")) {
                        throw new StoreCorruptException("nightly is damaged");
                    }
                    if (leavesOut.get() && method.getName().equals("inspect") && arguments[0].equals(NIGHTLY)) {
                        throw new StoreCorruptException("nightly is damaged");
                    }
                    return method.invoke(store, arguments);
                });
        EventReader reader = EventReader.fromNow(damaged);
        acquire(NIGHTLY);
        acquire(LeaseName.of("other"));
        assertThat(settled(reader)).hasSize(2);

        leavesOut.set(true);
        assertThat(settled(reader)).isEmpty();
        leavesOut.set(false);
        assertThat(settled(reader)).isEmpty();
        assertThat(reader.names()).isEqualTo(2);
    }

    @Test
    void whatOperatorsDoWithJobsIsNoEndOfARun() {
        EventReader reader = EventReader.fromNow(store);
        log(NIGHTLY, JobMoves.PAUSED, null);
        log(NIGHTLY, JobMoves.RESUMED, null);
        log(NIGHTLY, JobMoves.STARTED, null);

        assertThat(settled(reader))
                .extracting(Event::type)
                .containsExactly(Event.Type.PAUSED, Event.Type.RESUMED, Event.Type.STARTED);
    }
}
