package dev.leasehold.store;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.Step;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.SystemTimers;
import dev.leasehold.internal.Transition;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Timers;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Leases on any store that can read and compare-and-set. Record and history are one value, so they
 * change together.
 */
public final class CasLeaseStore extends SteppedLeaseStore {
    private static final String PREFIX = "lease/";
    private static final String ID_KEY = "store-id";

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
        LeaseRecord record =
                reading.value().map(text -> parse(key, RecordText::parse, text)).orElse(null);
        Step<T> step = transition.decide(record, reading.at());
        LeaseRecord write = step.write();
        if (write == null || register.compareAndSet(key, reading.version(), text(key, reading, write, step))) {
            return Optional.of(step.answer());
        }
        return Optional.empty();
    }

    private static String text(String key, CasRegister.Reading reading, LeaseRecord write, Step<?> step) {
        List<Transfer> history = new ArrayList<>(reading.value()
                .map(text -> parse(key, RecordText::parseHistory, text))
                .orElse(List.of()));
        if (step.transfers()) {
            history.add(0, write.owner());
        }
        return RecordText.format(write, history.subList(0, Math.min(history.size(), HISTORY_KEPT)));
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
        List<Transfer> history = register.read(PREFIX + name)
                .value()
                .map(text -> parse(PREFIX + name, RecordText::parseHistory, text))
                .orElse(List.of());
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
