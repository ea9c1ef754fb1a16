package dev.leasehold.mcp;

import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;

/** The handles that agents show: whole grants as text. */
final class Handles {
    private static final int LONGEST = 500;

    static final Input INPUT = Input.text(
                    "handle",
                    LONGEST,
                    "the handle that lease_acquire returned, unchanged. It proves that you hold the lease")
            .needed();

    private final LeaseStore store;

    Handles(LeaseStore store) {
        this.store = store;
    }

    Grant require(ToolArguments arguments, McpCaller caller) {
        Grant grant = arguments.value("handle", Grant::decode);
        caller.require(grant.name());
        if (grant.attempt() == null || grant.store() == null) {
            // Anybody can read a token in the store.
            throw ToolArguments.invalid("'handle' is not whole: pass on the handle of lease_acquire unchanged");
        }
        if (!store.id().equals(grant.store())) {
            throw new ToolFailure(ToolResult.failed(
                    "wrong_store",
                    "the handle is of another store than the one that this server uses: nothing was changed. The store"
                            + " was created again, or this is another server. Call lease_acquire again"));
        }
        return grant;
    }
}
