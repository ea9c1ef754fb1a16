package dev.leasehold.store;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.LeaseRules;
import dev.leasehold.internal.Step;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.SystemTimers;
import dev.leasehold.internal.Transition;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.Timers;
import dev.leasehold.spi.Watch;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Leases on any store that can read and compare-and-set. A record and its latest transfers are one value, so they
 * change together; older transfers have a key of their own. If the store is a {@link ClocklessRegister}, a lease is over when this host has
 * seen its record unchanged for as long as the lease lasts.
 */
public final class CasLeaseStore extends SteppedLeaseStore {
    private static final String PREFIX = RegisterPart.LEASES;
    private static final String FLOOR_KEY = RegisterPart.FLOOR_KEY;

    /** How many transfers a record may have before all but the latest move to {@link PastTransfers}. */
    private static final int MOST_IN_RECORD = 12;

    private final CasRegister register;
    private final RecordAccess records;
    private final Contention contention;
    private final PastTransfers past;

    private CasLeaseStore(StoreId id, CasRegister register, RecordAccess records, Contention contention) {
        super(id);
        this.register = register;
        this.records = records;
        this.contention = contention;
        this.past = new PastTransfers(register, contention);
    }

    /** Opens the store that the register holds, or creates one in it. */
    public static CasLeaseStore over(CasRegister register) {
        return over(register, new SystemTimers(), new SystemIds());
    }

    /** The same, with the given source of pauses and random numbers: for tests in virtual time. */
    public static CasLeaseStore over(CasRegister register, Timers timers, Ids ids) {
        return over(register, Observations::ofThisProcess, timers, ids);
    }

    /**
     * The same over a register without a clock.
     *
     * @param observations what this host has seen of records; one for all clients and stores of a process
     */
    public static CasLeaseStore over(ClocklessRegister register, Observations observations, Timers timers, Ids ids) {
        return over(register, () -> observations, timers, ids);
    }

    private static CasLeaseStore over(CasRegister given, Supplier<Observations> observations, Timers timers, Ids ids) {
        CasPlace place = CasPlace.readOrCreate(given, ids);
        CasRegister register = MovableRegister.over(given, place);
        RecordAccess records = register instanceof ClocklessRegister clockless
                ? new ObservedRecords(place.id(), clockless, observations.get())
                : new ClockedRecords(register);
        return new CasLeaseStore(place.id(), register, records, new Contention(timers, ids));
    }

    /**
     * Opens the store that the register holds.
     *
     * @param place where that is, for the message; without a password
     * @throws StoreMissingException if it holds none; none is created
     */
    public static CasLeaseStore open(CasRegister register, String place) {
        if (register.read(CasPlace.ID_KEY).value().isEmpty()) {
            throw new StoreMissingException(
                    "there is no store in " + place
                            + ": it was never created there, or its data was removed, or restored without it. Nothing was created."
                            + " Check the place. To make a new store there, run 'leasehold store init' with the same URL, without ?id=...");
        }
        return over(register);
    }

    /** What a store contained that moved away, only for reading. */
    static CasLeaseStore departed(ConnectedRegister register, CasPlace place) {
        DepartedRegister content = new DepartedRegister(register, place.part());
        RecordAccess records = register instanceof ClocklessRegister
                ? new ObservedRecords(place.id(), content, Observations.ofThisProcess())
                : new ClockedRecords(content);
        return new CasLeaseStore(place.id(), content, records, new Contention(new SystemTimers(), new SystemIds()));
    }

    /**
     * Starts to move the store in the register away, for {@link dev.leasehold.spi.StoreProvider#moveAway}.
     *
     * @param place where the register is, for messages; without a password
     * @param to the other place, without a password
     */
    public static OutgoingStore moveAway(ConnectedRegister register, String place, String to) {
        return OutgoingCasStore.start(register, place, to);
    }

    /** Starts to fill the register with the content of another store, for {@link dev.leasehold.spi.StoreProvider#receive}. */
    public static IncomingStore receive(ConnectedRegister register, String place, StoreId id) {
        return IncomingCasStore.start(register, place, id);
    }

    @Override
    <T> T step(LeaseName name, Transition<T> transition) {
        return step(name, transition, records);
    }

    private <T> T step(LeaseName name, Transition<T> transition, RecordTime time) {
        String key = PREFIX + name;
        StoredRecord known = records.known(key);
        if (known != null) {
            Optional<T> answer = tryKnown(key, known, transition, time);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return contention.resolve("lease " + name, () -> tryStep(key, transition, time));
    }

    /**
     * Decides by an earlier reading, which saves the read. If it is out of date, the write fails. An answer
     * without a write would not show that, so it does not count.
     */
    private <T> Optional<T> tryKnown(String key, StoredRecord known, Transition<T> transition, RecordTime time) {
        if (known.record() == null) {
            return Optional.empty();
        }
        Step<T> step = transition.decide(known.record(), 0, time.now(key, known));
        LeaseRecord write = step.write();
        return write != null && replace(key, known, write, step) ? Optional.of(step.answer()) : Optional.empty();
    }

    private <T> Optional<T> tryStep(String key, Transition<T> transition, RecordTime time) {
        StoredRecord stored = records.read(key);
        // Read after the record: if that is unchanged when it is replaced, its name was not forgotten meanwhile.
        long floor = stored.record() == null ? floor() : 0;
        Step<T> step = transition.decide(stored.record(), floor, time.now(key, stored));
        LeaseRecord write = step.write();
        if (write == null) {
            return Optional.of(step.answer());
        }
        if (!stored.exists()) {
            return register.compareAndSet(key, CasRegister.ABSENT, StoredRecord.RESERVED)
                    ? tryStep(key, transition, time)
                    : Optional.empty();
        }
        return replace(key, stored, write, step) ? Optional.of(step.answer()) : Optional.empty();
    }

    private boolean replace(String key, StoredRecord before, LeaseRecord write, Step<?> step) {
        String old = before.text();
        if (!step.transfers()) {
            return records.replace(key, before, write, RecordText.replace(old, write, null, HISTORY_KEPT));
        }
        if (RecordText.countHistory(old) < MOST_IN_RECORD) {
            String text = RecordText.replace(old, write, write.owner(), MOST_IN_RECORD);
            return records.replace(key, before, write, text);
        }
        // Before they leave the record, so that each transfer is in one of the two places.
        long from = past.add(old, write);
        return records.replace(key, before, write, RecordText.formatAfterMove(write, from));
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        String key = PREFIX + name;
        StoredRecord stored = records.read(key);
        return snapshot(key, stored, () -> records.now(key, stored));
    }

    private Optional<LeaseSnapshot> snapshot(String key, StoredRecord stored, Supplier<Instant> time) {
        LeaseRecord record = stored.record();
        if (record == null) {
            return Optional.empty();
        }
        Instant now = LeaseRules.storeTime(record, time.get());
        Instant readAt = LeaseRules.storeTime(record, records.readAt(key, stored));
        return Optional.of(new LeaseSnapshot(record, now, readAt.isAfter(now) ? readAt : now));
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        List<LeaseSnapshot> found = new ArrayList<>();
        String last = PREFIX + after;
        boolean more = true;
        while (more && found.size() < limit) {
            int asked = limit - found.size();
            Map<String, CasRegister.Reading> page = register.readings(PREFIX + prefix, last, asked);
            for (Map.Entry<String, CasRegister.Reading> entry : page.entrySet()) {
                String key = entry.getKey();
                StoredRecord stored = StoredRecord.of(key, entry.getValue());
                snapshot(key, stored, () -> records.nowInList(key, stored)).ifPresent(found::add);
                last = key;
            }
            more = page.size() == asked;
        }
        return found;
    }

    /**
     * An intervention does not wait for the deadline, so it is dated by the time that people go by, unless it
     * is a repetition.
     */
    @Override
    public Acquisition intervene(Intervention move) {
        return step(move.name(), intervention(move), (key, stored) -> {
            Instant now = records.now(key, stored);
            Instant readAt = stored.reading().at();
            LeaseRecord record = stored.record();
            boolean repeated = record != null && record.owner().attempt().equals(move.attempt());
            return repeated || readAt.isBefore(now) ? now : readAt;
        });
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        return each(requests, this::forget);
    }

    private Forgetting forget(ForgetRequest request) {
        String key = PREFIX + request.name();
        CasRegister.Reading older = past.reading(request.name());
        StoredRecord stored = records.read(key);
        LeaseRecord record = stored.record();
        if (record == null) {
            // Whoever removed the record may have died before this.
            past.remove(request.name(), older);
            return Forgetting.ABSENT;
        }
        if (!LeaseRules.mayForget(record, request.seen(), records.now(key, stored))) {
            return Forgetting.KEPT;
        }
        raiseFloor(request.seen().value());
        if (!register.remove(key, stored.reading().version())) {
            return Forgetting.KEPT;
        }
        past.remove(request.name(), older);
        return Forgetting.FORGOTTEN;
    }

    @Override
    public long floor() {
        return floor(register.read(FLOOR_KEY));
    }

    private static long floor(CasRegister.Reading reading) {
        return reading.value()
                .map(text -> parse(FLOOR_KEY, Long::parseLong, text))
                .orElse(0L);
    }

    private void raiseFloor(long token) {
        contention.resolve("the floor under the tokens", () -> {
            CasRegister.Reading before = register.read(FLOOR_KEY);
            return floor(before) >= token || register.compareAndSet(FLOOR_KEY, before.version(), Long.toString(token))
                    ? Optional.of(token)
                    : Optional.empty();
        });
    }

    @Override
    boolean erase(LeaseName name) {
        CasRegister.Reading older = past.reading(name);
        CasRegister.Reading reading = register.read(PREFIX + name);
        boolean erased = reading.value().isPresent() && register.remove(PREFIX + name, reading.version());
        if (erased) {
            past.remove(name, older);
        }
        return erased;
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        List<LeaseName> names = new ArrayList<>();
        for (String key : register.keys(PREFIX + prefix, PREFIX + after, limit)) {
            names.add(LeaseName.of(key.substring(PREFIX.length())));
        }
        return names;
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        String key = PREFIX + name;
        StoredRecord stored = records.read(key);
        if (stored.record() == null) {
            return List.of();
        }
        String text = stored.text();
        List<Transfer> history = new ArrayList<>(parse(key, RecordText::parseHistory, text));
        int most = Math.min(limit, HISTORY_KEPT);
        OptionalLong from = parse(key, RecordText::historyFrom, text);
        if (history.size() < most && from.isPresent()) {
            long oldest = history.isEmpty()
                    ? Long.MAX_VALUE
                    : history.get(history.size() - 1).token().value();
            // Read after the record, whose transfers may have moved there meanwhile.
            history.addAll(past.of(name, from.getAsLong(), oldest));
        }
        return history.subList(0, Math.min(most, history.size()));
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public Optional<Watch> watch(LeaseName name) {
        return register instanceof ConnectedRegister connected ? connected.watch(PREFIX + name) : Optional.empty();
    }

    @Override
    public Optional<String> atomicBecause() {
        return register instanceof ConnectedRegister connected ? connected.atomicBecause() : Optional.empty();
    }

    @Override
    public List<String> warnings() {
        return register instanceof ConnectedRegister connected ? connected.warnings() : List.of();
    }

    @Override
    public void close() {
        if (register instanceof ConnectedRegister connected) {
            connected.close();
        }
    }

    static <T> T parse(String key, Function<String, T> parser, String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoreCorruptException(
                    "the record under '" + key + "' cannot be read: " + e.getMessage()
                            + "; nothing was changed. Restore it from a backup, or remove it and lift the counter above every"
                            + " token that was ever given out, with 'leasehold repair'",
                    e);
        }
    }
}
