package dev.leasehold.client.message;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import org.jspecify.annotations.Nullable;

/** The fields of a call that show a grant. Without the attempt, the token alone is judged. */
public interface GrantPart {
    String name();

    long token();

    @Nullable
    String attempt();

    @Nullable
    String store();

    /** @throws IllegalArgumentException if a field has a value that it cannot have */
    default Grant toGrant() {
        String attempt = attempt();
        String store = store();
        return new Grant(
                LeaseName.of(name()),
                FencingToken.of(token()),
                attempt == null ? null : AttemptId.of(attempt),
                store == null ? null : StoreId.of(store));
    }

    /** The attempt of a grant, if it names one. */
    static @Nullable String attemptOf(Grant grant) {
        AttemptId attempt = grant.attempt();
        return attempt == null ? null : attempt.value();
    }

    /** The store of a grant, if it names one. */
    static @Nullable String storeOf(Grant grant) {
        StoreId store = grant.store();
        return store == null ? null : store.value();
    }
}
