package dev.leasehold.cli.output;

import dev.leasehold.events.StateInWords;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Transfer;
import org.jspecify.annotations.Nullable;

/** The JSON answers of the commands. Scripts rely on the field names. */
public final class JsonViews {
    private JsonViews() {}

    public static Json outcome(String outcome, Grant grant) {
        return new Json()
                .put("outcome", outcome)
                .put("name", grant.name())
                .put("token", grant.token().value());
    }

    /** A new grant, with its opaque form for {@code LEASEHOLD_GRANT}. */
    public static Json granted(String outcome, Grant grant, Holder holder, @Nullable Transfer transfer) {
        return outcome(outcome, grant)
                .put("attempt", grant.attempt())
                .put("store", grant.store())
                .put("holder", holder)
                .put("transfer", transfer == null ? null : transfer(transfer))
                .put("grant", grant.encode());
    }

    public static Json lost(Grant grant, Loss loss) {
        Json json = outcome(loss.kind().word(), grant).put("detail", loss.explanation());
        return loss instanceof Loss.Superseded superseded ? json.put("by", transfer(superseded.by())) : json;
    }

    public static Json transfer(Transfer transfer) {
        return new Json()
                .put("token", transfer.token().value())
                .put("reason", transfer.reason().word())
                .put("holder", transfer.holder())
                .put("note", transfer.note())
                .put("at", transfer.at());
    }

    public static Json snapshot(LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        Json json = new Json()
                .put("name", lease.name())
                .put("state", snapshot.state().word())
                .put("free", snapshot.isFree())
                .put("health", StateInWords.health(snapshot))
                .put("token", lease.token().value())
                .put("holder", lease.owner().holder())
                .put("expiresInMs", snapshot.remaining())
                .put("acquiredAt", lease.owner().at())
                .put("deadline", lease.deadline())
                .put("at", snapshot.at())
                .put("transfer", transfer(lease.owner()));
        if (!snapshot.readAt().equals(snapshot.at())) {
            json.put("readAt", snapshot.readAt());
        }
        LeaseRecord.Progress progress = lease.progress();
        return progress == null ? json : json.put("progress", progress(progress));
    }

    private static Json progress(LeaseRecord.Progress progress) {
        return new Json()
                .put("note", progress.note())
                .put("checkpoint", progress.checkpoint())
                .put("at", progress.at());
    }
}
