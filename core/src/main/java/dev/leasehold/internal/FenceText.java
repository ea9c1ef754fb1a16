package dev.leasehold.internal;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;

/**
 * Writes a {@link FenceState} as lines of a text record and reads it back. A fence adds its own
 * lines after these.
 */
public final class FenceText {
    private FenceText() {}

    /** Starts a record under this header with the lines of the state. */
    public static Fields write(String header, FenceState state) {
        return new Fields(header)
                .put("name", state.name())
                .put("store", state.store())
                .put("raised", state.raised())
                .put("attempt", state.attempt())
                .put("once", state.once())
                .put("digest", state.digest())
                .put("fence", state.id());
    }

    /** Reads the lines that {@link #write} wrote. */
    public static FenceState read(Fields fields) {
        return new FenceState(
                LeaseName.of(fields.require("name")),
                fields.optional("store", StoreId::of),
                FencingToken.parse(fields.require("raised")),
                fields.optional("attempt", AttemptId::of),
                fields.optional("once", FencingToken::parse),
                fields.optional("digest", d -> d),
                fields.optional("fence", id -> id));
    }
}
