package dev.leasehold.mcp;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stores know, in the form of results. */
final class Facts {
    private static final String STOP =
            " Nothing was changed. Stop this piece of work: another may be doing it. To go on, call lease_acquire,"
                    + " and read again what you want to change.";

    private Facts() {}

    /** A grant that is not current, with the reason that a supervisor gave, if one did. */
    static ToolResult stale(Grant grant, Loss loss) {
        ToolResult result = ToolResult.of("stale", grant + " is no longer yours: " + loss.explanation() + "." + STOP)
                .put("name", grant.name().value())
                .put("token", grant.token().value())
                .put("why", loss.kind().word());
        return loss instanceof Loss.Superseded superseded ? result.put("now", transfer(superseded.by())) : result;
    }

    /** The same, where only the reason is known. */
    static ToolResult stale(Grant grant, String why) {
        return ToolResult.of("stale", grant + " is refused: " + why + "." + STOP)
                .put("name", grant.name().value())
                .put("token", grant.token().value());
    }

    static Map<String, Object> transfer(Transfer transfer) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("holder", transfer.holder().value());
        json.put("token", transfer.token().value());
        json.put("how", transfer.reason().word());
        Note note = transfer.note();
        if (note != null) {
            json.put("reason", note.value());
        }
        json.put("since", transfer.at());
        return json;
    }

    static Map<String, Object> lease(LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", lease.name().value());
        json.put("state", snapshot.state().word());
        json.putAll(transfer(lease.owner()));
        json.put(
                "held_for_ms",
                Duration.between(lease.owner().at(), snapshot.readAt()).toMillis());
        json.put("expires_in_ms", snapshot.remaining().toMillis());
        LeaseRecord.Progress progress = lease.progress();
        if (progress != null) {
            json.put("progress", progress(progress));
        }
        return json;
    }

    private static Map<String, Object> progress(LeaseRecord.Progress progress) {
        Map<String, Object> json = new LinkedHashMap<>();
        Note note = progress.note();
        Checkpoint checkpoint = progress.checkpoint();
        if (note != null) {
            json.put("note", note.value());
        }
        if (checkpoint != null) {
            json.put("checkpoint", checkpoint.value());
        }
        json.put("at", progress.at());
        return json;
    }

    /** One sentence. */
    static String words(String name, @Nullable LeaseSnapshot snapshot) {
        if (snapshot == null) {
            return name + " is free: it was never held in this store.";
        }
        Transfer owner = snapshot.lease().owner();
        String who = owner.holder() + " (token " + owner.token() + ")";
        Duration since = Duration.between(owner.at(), snapshot.readAt());
        return switch (snapshot.state()) {
            case HELD ->
                name + " is held by " + who + " since " + owner.at() + ", for " + DurationText.show(since)
                        + (snapshot.isSilent() ? silent(snapshot) : renewed(snapshot));
            case RESTING ->
                name + " was released by " + who + " and stays taken for another "
                        + DurationText.show(snapshot.remaining()) + ".";
            case EXPIRED ->
                name + " is free: " + who + " did not renew it, so it crashed, is frozen, or cannot reach the store.";
            case RELEASED -> name + " is free: " + who + " was its last holder.";
        };
    }

    private static String renewed(LeaseSnapshot snapshot) {
        return ", and for " + DurationText.show(snapshot.remaining()) + " more unless it is renewed"
                + (snapshot.isStuck() ? "; it reports no progress and may be stuck." : ".");
    }

    private static String silent(LeaseSnapshot snapshot) {
        return ". By the clock of the host that looks, its deadline has passed, so its holder is probably gone. The store has no"
                + " clock: the lease is over when a host has seen it unchanged for "
                + DurationText.show(snapshot.lease().term()) + ".";
    }
}
