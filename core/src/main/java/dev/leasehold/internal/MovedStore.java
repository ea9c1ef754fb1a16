package dev.leasehold.internal;

import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What a store that was moved has in the place of its id.
 *
 * @param allCopied whether the other place holds everything
 * @param to the URL of the other place, without its password
 */
public record MovedStore(StoreId id, boolean allCopied, String to) {
    private static final String MOVING = "moving";
    private static final String MOVED = "moved";

    /** The text in the place of the id; {@link #to} is kept beside it. */
    public String text() {
        return (allCopied ? MOVED : MOVING) + " " + id;
    }

    /** Whether the text in the place of an id says that the store was moved. */
    public static boolean isMoved(String text) {
        return text.startsWith(MOVING + " ") || text.startsWith(MOVED + " ");
    }

    /** @throws IllegalArgumentException if the text is damaged */
    public static MovedStore of(String text, @Nullable String to) {
        int blank = text.indexOf(' ');
        return new MovedStore(
                StoreId.of(text.substring(blank + 1)), text.startsWith(MOVED + " "), to == null ? "another place" : to);
    }

    /** The same after everything was copied. */
    public MovedStore copied() {
        return new MovedStore(id, true, to);
    }

    /**
     * The state in which the move to a place starts, or goes on.
     *
     * @param before the state of an interrupted move; null if there was none
     * @throws StoreUnavailableException if the store was moved to another place
     */
    public static MovedStore toward(String to, StoreId id, @Nullable MovedStore before) {
        if (before != null && before.allCopied && !before.to.equals(to)) {
            throw before.exception();
        }
        return new MovedStore(id, before != null && before.allCopied, to);
    }

    public StoreMovedException exception() {
        return new StoreMovedException(
                to,
                allCopied
                        ? "this store was moved to " + to
                                + "; nothing was changed. Use that URL (--store, LEASEHOLD_STORE," + " job files)"
                        : "this store is being moved to " + to
                                + "; nothing was changed. If the move was interrupted, repeat"
                                + " 'leasehold store migrate'");
    }
}
