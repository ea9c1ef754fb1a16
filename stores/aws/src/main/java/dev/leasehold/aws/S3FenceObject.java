package dev.leasehold.aws;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an object of a guarded target says in its metadata: the state of the fence, and which object of the
 * series has the content.
 *
 * @param content its own number if it has the content; zero if nothing was written yet
 */
record S3FenceObject(FenceState state, long content) {
    static final String PREFIX = "x-amz-meta-leasehold-";
    static final List<String> METADATA = List.of("name", "store", "raised", "attempt", "once", "digest", "content");

    Map<String, String> metadata() {
        Map<String, String> metadata = new HashMap<>();
        metadata.put("name", state.name().value());
        metadata.put("raised", state.raised().toString());
        metadata.put("content", Long.toString(content));
        put(metadata, "store", state.store());
        put(metadata, "attempt", state.attempt());
        put(metadata, "once", state.once());
        put(metadata, "digest", state.digest());
        return metadata;
    }

    private static void put(Map<String, String> metadata, String key, @Nullable Object value) {
        if (value != null) {
            metadata.put(key, value.toString());
        }
    }

    static S3FenceObject of(String target, Map<String, String> metadata) {
        try {
            String store = metadata.get("store");
            String attempt = metadata.get("attempt");
            String once = metadata.get("once");
            FenceState state = new FenceState(
                    LeaseName.of(metadata.getOrDefault("name", "")),
                    store == null ? null : StoreId.of(store),
                    FencingToken.parse(metadata.getOrDefault("raised", "")),
                    attempt == null ? null : AttemptId.of(attempt),
                    once == null ? null : FencingToken.parse(once),
                    metadata.get("digest"),
                    null);
            return new S3FenceObject(state, Long.parseLong(metadata.getOrDefault("content", "")));
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException("the newest object of " + target + " was not written through its fence", e);
        }
    }
}
