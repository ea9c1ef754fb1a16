package dev.leasehold.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The proof of ownership for stores and fences: a name, its token, and (in a <em>whole</em> grant)
 * the attempt that got it and the store that issued it.
 *
 * <p>A <em>bare</em> grant has only a name and a token, as typed by a person, and is judged by the
 * token alone. It cannot reveal that a store lost records and issued the same token twice. Pass
 * whole grants where you can.
 */
public record Grant(LeaseName name, FencingToken token, @Nullable AttemptId attempt, @Nullable StoreId store) {
    private static final String FORMAT = "lh1";

    public Grant {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(token, "token");
    }

    public static Grant bare(LeaseName name, FencingToken token) {
        return new Grant(name, token, null, null);
    }

    /**
     * Whether {@code other} may be the attempt of this grant. An unknown attempt agrees with every
     * other.
     */
    public boolean agreesWith(@Nullable AttemptId other) {
        return attempt == null || other == null || attempt.equals(other);
    }

    /** The opaque text that {@code LEASEHOLD_GRANT} contains. */
    public String encode() {
        String attemptText = attempt == null ? "" : attempt.value();
        String storeText = store == null ? "" : store.value();
        return FORMAT + ';' + token + ';' + attemptText + ';' + storeText + ';' + name;
    }

    public static Grant decode(String text) {
        String[] parts = text.split(";", -1);
        if (parts.length != 5 || !parts[0].equals(FORMAT)) {
            throw new IllegalArgumentException("grant is not in a format that this version knows: it must start with "
                    + FORMAT + "; and have 5 parts. Pass it on unchanged");
        }
        return new Grant(
                LeaseName.of(parts[4]),
                FencingToken.parse(parts[1]),
                parts[2].isEmpty() ? null : AttemptId.of(parts[2]),
                parts[3].isEmpty() ? null : StoreId.of(parts[3]));
    }

    @Override
    public String toString() {
        return name + " token " + token;
    }
}
