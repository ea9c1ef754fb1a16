package dev.leasehold.store;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.LeaseRules;
import dev.leasehold.internal.Step;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.SystemTimers;
import dev.leasehold.internal.Transition;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Timers;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Leases on any store that can read and compare-and-set. Record and history are one value, so they
 * change together.
 */
public final class CasLeaseStore extends SteppedLeaseStore {
    private static final String PREFIX = "lease/";
    private static final String ID_KEY = "store-id";
    private static final String FLOOR_KEY = "lease-floor";

    /**
     * Stands in the place of a record before the first grant of a name. To create a key shows only that it did not exist at
     * that moment: the name may have been granted and forgotten since the floor was read. To replace this text shows that it
     * was not.
     */
    private static final String RESERVED = "leasehold reserved 1";

    private final CasRegister register;
    private final Contention contention;

    private CasLeaseStore(StoreId id, CasRegister register, Contention contention) {
        super(id);
        this.register = register;
        this.contention = contention;
    }

    /** Opens the store that the register holds, or creates one in it. */
    public static CasLeaseStore over(CasRegister register) {
        return over(register, new SystemTimers(), new SystemIds());
    }

    /** The same, with the given source of pauses and random numbers: for tests in virtual time. */
    public static CasLeaseStore over(CasRegister register, Timers timers, Ids ids) {
        Optional<String> known = register.read(ID_KEY).value();
        if (known.isEmpty()) {
            register.compareAndSet(ID_KEY, CasRegister.ABSENT, ids.unique());
            known = register.read(ID_KEY).value();
        }
        StoreId id = known.map(StoreId::of)
                .orElseThrow(() ->
                        new StoreUnavailableException("the register lost the store's id that was just written to it"));
        return new CasLeaseStore(id, register, new Contention(timers, ids));
    }

    @Override
    <T> T step(LeaseName name, Transition<T> transition) {
        return contention.resolve("lease " + name, () -> tryStep(PREFIX + name, transition));
    }

    private <T> Optional<T> tryStep(String key, Transition<T> transition) {
        CasRegister.Reading reading = register.read(key);
        LeaseRecord record = record(key, reading);
        // Read after the record: if that is unchanged when it is replaced, its name was not forgotten meanwhile.
        long floor = record == null ? floor() : 0;
        Step<T> step = transition.decide(record, floor, reading.at());
        LeaseRecord write = step.write();
        if (write == null) {
            return Optional.of(step.answer());
        }
        if (reading.value().isEmpty()) {
            return register.compareAndSet(key, CasRegister.ABSENT, RESERVED)
                    ? tryStep(key, transition)
                    : Optional.empty();
        }
        return register.compareAndSet(key, reading.version(), text(key, reading, write, step))
                ? Optional.of(step.answer())
                : Optional.empty();
    }

    private static @Nullable LeaseRecord record(String key, CasRegister.Reading reading) {
        String text = reading.value().orElse(RESERVED);
        return text.equals(RESERVED) ? null : parse(key, RecordText::parse, text);
    }

    private static String text(String key, CasRegister.Reading reading, LeaseRecord write, Step<?> step) {
        List<Transfer> history = new ArrayList<>(history(key, reading));
        if (step.transfers()) {
            history.add(0, write.owner());
        }
        return RecordText.format(write, history.subList(0, Math.min(history.size(), HISTORY_KEPT)));
    }

    private static List<Transfer> history(String key, CasRegister.Reading reading) {
        String text = reading.value().orElse(RESERVED);
        return text.equals(RESERVED) ? List.of() : parse(key, RecordText::parseHistory, text);
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        return each(requests, this::forget);
    }

    private Forgetting forget(ForgetRequest request) {
        String key = PREFIX + request.name();
        CasRegister.Reading reading = register.read(key);
        LeaseRecord record = record(key, reading);
        if (record == null) {
            return Forgetting.ABSENT;
        }
        if (!LeaseRules.mayForget(record, request.seen(), reading.at())) {
            return Forgetting.KEPT;
        }
        raiseFloor(request.seen().value());
        return register.remove(key, reading.version()) ? Forgetting.FORGOTTEN : Forgetting.KEPT;
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
        CasRegister.Reading reading = register.read(PREFIX + name);
        return reading.value().isPresent() && register.remove(PREFIX + name, reading.version());
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
        List<Transfer> history = history(PREFIX + name, register.read(PREFIX + name));
        return history.subList(0, Math.min(limit, history.size()));
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public void close() {}

    private static <T> T parse(String key, Function<String, T> parser, String text) {
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
