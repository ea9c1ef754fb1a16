package dev.leasehold.cli.work;

import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.Effect;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Work items, as text and as JSON. */
final class WorkViews {
    private WorkViews() {}

    static Json json(WorkItem item) {
        Json json = new Json()
                .put("name", item.id().name())
                .put("key", item.id().key())
                .put("state", item.state().word())
                .put("epoch", item.epoch())
                .put("attempts", item.attempts())
                .put("since", item.since());
        WorkItem.Claimant by = item.by();
        if (by != null) {
            json.put("lease", by.grant().name())
                    .put("token", by.grant().token().value())
                    .put("holder", by.holder());
        }
        List<Json> effects = new ArrayList<>();
        for (Effect effect : item.effects()) {
            effects.add(new Json()
                    .put("id", effect.id())
                    .put("delivered", effect.delivered())
                    .put("body", effect.body()));
        }
        return json.put("fingerprint", item.fingerprint())
                .put("checkpoint", item.checkpoint())
                .put("result", item.result())
                .put("lastError", item.lastError())
                .put("reason", item.reason())
                .put("effects", effects);
    }

    /** The last claimant. */
    static String by(WorkItem item) {
        WorkItem.Claimant by = item.by();
        if (item.isDoneByOperator()) {
            return "by an operator";
        }
        return by == null ? "by nobody" : "by " + by.holder() + " (" + by.grant() + ")";
    }

    /**
     * The most useful detail in one line: the result, the error, the reason for reopening, or the
     * checkpoint.
     */
    static String gist(WorkItem item) {
        if (item.state() == WorkState.DONE) {
            return item.result() == null ? "" : SafeText.show(item.result().value());
        }
        if (item.state() == WorkState.FAILED && item.lastError() != null) {
            return SafeText.show(item.lastError().value());
        }
        if (item.state() == WorkState.OPEN && item.reason() != null) {
            return SafeText.show(item.reason().value());
        }
        return item.checkpoint() == null
                ? ""
                : "checkpoint " + SafeText.show(item.checkpoint().value());
    }

    /**
     * Whether the lease under which the item runs is still held; false for items that are not
     * running.
     */
    static boolean isAlive(LeaseStore store, WorkItem item) {
        WorkItem.Claimant by = item.by();
        if (item.state() != WorkState.RUNNING || by == null) {
            return false;
        }
        Optional<LeaseSnapshot> lease = store.inspect(by.grant().name());
        return lease.isPresent()
                && lease.get().lease().lossOf(by.grant(), lease.get().at()) == null;
    }
}
