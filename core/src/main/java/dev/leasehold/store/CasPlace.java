package dev.leasehold.store;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Ids;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a register has under the key of the store's id: the id and the part of the register in which the store is, or
 * where it went.
 *
 * @param part stands before all other keys of the store. Empty, unless the store was moved here: what is copied has a
 *     part of its own, which becomes the store in one step
 * @param moved null if the store is here
 */
record CasPlace(StoreId id, String part, @Nullable MovedStore moved) {
    static final String ID_KEY = "store-id";

    /** Begins the name of a part. It sorts after the keys that Leasehold uses. */
    private static final char PART = '~';

    private static final char END_OF_PART = '/';

    private static final char SEPARATOR = ' ';
    private static final String END_OF_LINE = "\n";
    private static final int TO = 1;
    private static final int OLD_PART = 2;

    /** @param drawn a random text */
    static String partNamed(String drawn) {
        return PART + drawn.substring(0, CasRegister.MAX_PART_LENGTH - 2) + END_OF_PART;
    }

    /** Whether a key of the whole register belongs to a part. No other key should have this form. */
    static boolean isInPart(String key) {
        int end = CasRegister.MAX_PART_LENGTH - 1;
        return key.length() > end && key.charAt(0) == PART && key.charAt(end) == END_OF_PART;
    }

    /** Empty if there is no store. */
    static Optional<CasPlace> read(CasRegister register) {
        return register.read(ID_KEY).value().map(CasPlace::parse);
    }

    /** @throws dev.leasehold.model.StoreMovedException if the store went elsewhere */
    static CasPlace readOrCreate(CasRegister register, Ids ids) {
        Optional<CasPlace> known = read(register);
        if (known.isEmpty()) {
            register.compareAndSet(ID_KEY, CasRegister.ABSENT, ids.unique());
            known = read(register);
        }
        CasPlace place = known.orElseThrow(
                () -> new StoreUnavailableException("the register lost the store's id that was just written to it"));
        place.requireHere();
        return place;
    }

    static CasPlace parse(String text) {
        if (MovedStore.isMoved(text)) {
            String[] lines = text.split(END_OF_LINE, -1);
            MovedStore moved = MovedStore.of(lines[0], lines.length > TO ? lines[TO] : null);
            return new CasPlace(moved.id(), lines.length > OLD_PART ? lines[OLD_PART] : "", moved);
        }
        int blank = text.indexOf(SEPARATOR);
        return blank < 0
                ? new CasPlace(StoreId.of(text), "", null)
                : new CasPlace(StoreId.of(text.substring(0, blank)), text.substring(blank + 1), null);
    }

    /** The text for a store that is here. */
    String text() {
        return part.isEmpty() ? id.value() : id.value() + SEPARATOR + part;
    }

    /** The text for a store that moves. */
    String movedText(MovedStore state, String mover) {
        return String.join(END_OF_LINE, state.text(), state.to(), part, mover);
    }

    void requireHere() {
        if (moved != null) {
            throw moved.exception();
        }
    }
}
