package dev.leasehold.internal;

import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreMovedException.Stage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a store that was moved has in the place of its id.
 *
 * @param to the URL of the other place, without its password
 */
public record MovedStore(StoreId id, Stage stage, String to) {
    /** The text in the place of the id; {@link #to} is kept beside it. */
    public String text() {
        return word(stage) + " " + id;
    }

    private static String word(Stage stage) {
        return stage.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Stage stageIn(String text) {
        for (Stage stage : Stage.values()) {
            if (text.startsWith(word(stage) + " ")) {
                return stage;
            }
        }
        return null;
    }

    /** Whether the text in the place of an id says that the store was moved. */
    public static boolean isMoved(String text) {
        return stageIn(text) != null;
    }

    /** @throws IllegalArgumentException if the text is damaged */
    public static MovedStore of(String text, @Nullable String to) {
        Stage stage = stageIn(text);
        if (stage == null) {
            throw new IllegalArgumentException("it does not say how far the move has come");
        }
        return new MovedStore(
                StoreId.of(text.substring(word(stage).length() + 1)), stage, to == null ? "another place" : to);
    }

    /** The same at another stage. */
    public MovedStore at(Stage next) {
        return new MovedStore(id, next, to);
    }

    /**
     * The state in which the move to a place starts, or goes on.
     *
     * @param before the state of an interrupted move; null if there was none
     * @throws StoreMovedException if the store went to another place, or may have
     */
    public static MovedStore toward(String to, StoreId id, @Nullable MovedStore before) {
        if (before == null) {
            return new MovedStore(id, Stage.MOVING, to);
        }
        if (before.stage != Stage.MOVING && !before.to.equals(to)) {
            throw before.exception();
        }
        return new MovedStore(id, before.stage, to);
    }

    public StoreMovedException exception() {
        String message =
                switch (stage) {
                    case MOVING ->
                        "this store is being moved to " + to
                                + "; nothing was changed. If the move was interrupted, repeat"
                                + " 'leasehold store migrate', to the same place or to another one";
                    case COPIED ->
                        "this store is being moved to " + to
                                + "; nothing was changed. If the move was interrupted, repeat"
                                + " 'leasehold store migrate' to the same place";
                    case MOVED ->
                        "this store was moved to " + to
                                + "; nothing was changed. Use that URL"
                                + (to.contains("***") ? ", with the password or the options in place of ***," : "")
                                + " (--store, LEASEHOLD_STORE, job files)";
                };
        return new StoreMovedException(id, stage, to, message);
    }
}
