package dev.leasehold.mcp;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.function.BiConsumer;

/**
 * The results of calls that fail. Their texts are fixed: what an exception says may contain paths,
 * addresses and more, and goes to the log only.
 */
final class ToolFailures {
    private static final String PERSON = " A person has to look: the log of this server says more.";

    private final BiConsumer<String, Throwable> log;

    ToolFailures(BiConsumer<String, Throwable> log) {
        this.log = log;
    }

    void log(String what, Throwable failure) {
        log.accept(what, failure);
    }

    ToolResult of(Throwable failure) {
        if (failure instanceof ToolFailure known) {
            return known.result();
        }
        if (failure instanceof StoreMissingException || failure instanceof StoreMovedException) {
            log("a tool could not reach its store", failure);
            return ToolResult.failed(
                    "unavailable", "the store does not exist, or was moved: nothing was changed." + PERSON);
        }
        if (failure instanceof StoreCorruptException) {
            log("a tool found a damaged record", failure);
            return ToolResult.failed("unavailable", "a record of the store is damaged: nothing was changed." + PERSON);
        }
        if (failure instanceof StoreUnavailableException e) {
            return unavailable(e);
        }
        log("a tool failed", failure);
        return ToolResult.failed(
                "internal",
                "this server could not do this because of a defect; its log says more. Assume that nothing you asked"
                        + " for was done");
    }

    ToolResult unavailable(StoreUnavailableException failure) {
        log("a tool got no answer from its store", failure);
        return ToolResult.failed(
                "unavailable",
                "the store did not answer: whether anything was changed is unknown. Assume that you do not hold the"
                        + " lease. Repeat the same call, with 'attempt' if one is given here; if that fails too, stop"
                        + " and ask a person");
    }
}
