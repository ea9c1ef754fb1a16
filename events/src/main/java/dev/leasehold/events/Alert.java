package dev.leasehold.events;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that a person may want to be told.
 *
 * @param id the same for the same trouble, whoever notices it and how often
 * @param at since when, by the store's clock
 */
public record Alert(
        Kind kind,
        String id,
        Instant at,
        LeaseName name,
        @Nullable FencingToken token,
        @Nullable Holder holder,
        @Nullable Instant slot,
        String detail) {

    /** What can be wrong. A skip is none of it. */
    public enum Kind {
        /** A holder renews its lease but has made no progress for a whole term. */
        STUCK,
        /** A slot should have begun and has not, or its runner is gone and nobody continues it. */
        OVERDUE,
        /** A run lost its lease, or ended without giving it back. */
        LOST,
        /** A target refused a stale token. */
        REFUSED,
        /** A slot failed, or a run that no schedule repeats. */
        FAILED;

        /** The word that people and scripts see. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** @throws IllegalArgumentException if there is no such kind */
        public static Kind ofWord(String word) {
            for (Kind kind : values()) {
                if (kind.word().equals(word)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException(
                    "'" + word + "' is not known: use stuck, overdue, lost, refused or failed");
        }
    }

    /** Empty for an event that nobody needs to be told. */
    public static Optional<Alert> of(Event event) {
        Kind kind =
                switch (event.type()) {
                    case LOST -> Kind.LOST;
                    case REFUSED -> Kind.REFUSED;
                    case SLOT -> event.outcome().equals("failed") ? Kind.FAILED : null;
                    case ENDED -> ofRun(event.outcome());
                    default -> null;
                };
        return kind == null
                ? Optional.empty()
                : Optional.of(new Alert(
                        kind,
                        event.position().toString(),
                        event.at(),
                        event.name(),
                        event.token(),
                        event.holder(),
                        event.slot(),
                        event.detail().isEmpty() ? event.outcome() : event.detail()));
    }

    private static @Nullable Kind ofRun(String outcome) {
        return switch (outcome) {
            case "failed", "timed_out" -> Kind.FAILED;
            case "expired", "killed" -> Kind.LOST;
            default -> null;
        };
    }
}
