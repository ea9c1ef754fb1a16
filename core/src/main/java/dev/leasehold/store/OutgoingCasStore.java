package dev.leasehold.store;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.MovedStore;
import dev.leasehold.internal.MovingStore;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ConnectedRegister;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A store in a register that moves away. Its id says so first, then the floor gets the mark, and then every value: each
 * by compare-and-set, so that nothing that was acknowledged is lost. The value after the mark is the content.
 *
 * <p>The process that started last writes its own name beside the id, which ends the right of an earlier one.
 */
final class OutgoingCasStore extends MovingStore {
    private static final int PAGE = 500;
    private static final String NO_FLOOR = "0";

    private final ConnectedRegister register;
    private final CasPlace place;
    private final String mover;

    private OutgoingCasStore(ConnectedRegister register, CasPlace place, MovedStore state, String mover) {
        super(state, CasLeaseStore.departed(register, place));
        this.register = register;
        this.place = place;
        this.mover = mover;
    }

    static OutgoingCasStore start(ConnectedRegister register, String shown, String to) {
        CasRegister.Reading reading = register.read(CasPlace.ID_KEY);
        CasPlace place = reading.value()
                .map(CasPlace::parse)
                .orElseThrow(() -> new StoreMissingException("there is no store in " + shown));
        MovedStore state = MovedStore.toward(to, place.id(), place.moved());
        if (place.moved() == null) {
            requireRoomForMarks(register, place);
        }
        String mover = new SystemIds().unique();
        if (!register.compareAndSet(CasPlace.ID_KEY, reading.version(), place.movedText(state, mover))) {
            throw anotherMoves();
        }
        OutgoingCasStore outgoing = new OutgoingCasStore(register, place, state, mover);
        outgoing.mark(place.part() + RegisterPart.FLOOR_KEY);
        outgoing.markAll();
        return outgoing;
    }

    private static StoreUnavailableException anotherMoves() {
        return new StoreUnavailableException(
                "another process moves this store now; this move was given up. Repeat it when the other one has ended");
    }

    /** A value that is as large as possible has no room for the mark, and would stop the move half-way. */
    private static void requireRoomForMarks(ConnectedRegister register, CasPlace place) {
        forEachKey(register, place, key -> {
            String value = MovableRegister.MARK + register.read(key).value().orElse("");
            if (value.getBytes(StandardCharsets.UTF_8).length > CasRegister.MAX_VALUE_BYTES) {
                throw new StoreUnavailableException("the record '" + key + "' is too large to be moved: more than "
                        + (CasRegister.MAX_VALUE_BYTES - MovableRegister.MARK.length())
                        + " bytes; nothing was changed. Make it smaller or remove it first");
            }
        });
    }

    /** Leaves out what belongs to a part beside this store. */
    private static void forEachKey(ConnectedRegister register, CasPlace place, Consumer<String> step) {
        String after = place.part();
        List<String> keys;
        do {
            keys = register.keys(place.part(), after, PAGE);
            for (String key : keys) {
                after = key;
                if (!place.part().isEmpty() || !CasPlace.isInPart(key)) {
                    step.accept(key);
                }
            }
        } while (keys.size() == PAGE);
    }

    private void markAll() {
        forEachKey(register, place, key -> {
            if (!key.equals(CasPlace.ID_KEY)) {
                mark(key);
            }
        });
    }

    private void mark(String key) {
        boolean floor = key.equals(place.part() + RegisterPart.FLOOR_KEY);
        Contention.system().resolve(key, () -> {
            CasRegister.Reading reading = register.read(key);
            String value = reading.value().orElse(floor ? NO_FLOOR : MovableRegister.MARK);
            return value.startsWith(MovableRegister.MARK)
                            || register.compareAndSet(key, reading.version(), MovableRegister.MARK + value)
                    ? Optional.of(key)
                    : Optional.empty();
        });
    }

    @Override
    protected void record(MovedStore next) {
        CasRegister.Reading reading = register.read(CasPlace.ID_KEY);
        boolean mine = reading.value().orElse("").endsWith("\n" + mover);
        if (!mine || !register.compareAndSet(CasPlace.ID_KEY, reading.version(), place.movedText(next, mover))) {
            throw anotherMoves();
        }
    }
}
