package dev.leasehold.work;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Work items as register records, and their register keys. */
final class WorkText {
    private static final String HEADER = "leasehold work 1";
    private static final String ITEM = "work#";
    private static final String EFFECT = "effect";
    private static final String PENDING = "pending";
    private static final String DELIVERED = "delivered";

    private WorkText() {}

    /** Lease names and keys contain no '#', so each item has its own record. */
    static String entry(WorkId id) {
        return entries(id.name()) + id.key();
    }

    /** The prefix of the register keys of a name's items; of all items if the name is null. */
    static String entries(@Nullable LeaseName name) {
        return name == null ? ITEM : ITEM + name + "#";
    }

    static WorkId idOf(String entry) {
        int hash = entry.indexOf('#', ITEM.length());
        try {
            return WorkId.of(entry.substring(ITEM.length(), Math.max(ITEM.length(), hash)), entry.substring(hash + 1));
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException(
                    "a register key has the prefix of a work item but is not one: " + e.getMessage()
                            + ". Nothing was changed; find out where it comes from, and remove it",
                    e);
        }
    }

    static String format(WorkItem item) {
        Fields fields = new Fields(HEADER)
                .put("name", item.id().name())
                .put("key", item.id().key())
                .put("state", item.state().word())
                .put("epoch", item.epoch())
                .put("attempts", item.attempts())
                .put("since", item.since());
        WorkItem.Claimant by = item.by();
        if (by != null) {
            fields.put("by", by.grant().encode()).put("holder", by.holder());
        }
        fields.put("fingerprint", item.fingerprint())
                .put("checkpoint", item.checkpoint())
                .put("result", item.result())
                .put("error", item.lastError())
                .put("reason", item.reason());
        for (Effect effect : item.effects()) {
            fields.put(EFFECT, Words.join(effect.number(), effect.delivered() ? DELIVERED : PENDING, effect.body()));
        }
        return fields.format();
    }

    static WorkItem parse(WorkId id, String text) {
        try {
            Fields fields = Fields.parse(HEADER, text);
            if (!fields.require("name").equals(id.name().value())
                    || !fields.require("key").equals(id.key().value())) {
                throw new IllegalArgumentException("it is the record of another key");
            }
            Grant grant = fields.optional("by", Grant::decode);
            return new WorkItem(
                    id,
                    WorkState.ofWord(fields.require("state")),
                    fields.requireLong("epoch"),
                    Math.toIntExact(fields.requireLong("attempts")),
                    grant == null ? null : new WorkItem.Claimant(grant, Holder.of(fields.require("holder"))),
                    fields.requireInstant("since"),
                    fields.optional("checkpoint", Checkpoint::of),
                    fields.optional("result", WorkResult::of),
                    fields.optional("error", Note::of),
                    fields.optional("reason", Note::of),
                    fields.optional("fingerprint", Fingerprint::of),
                    effects(id, fields.all(EFFECT)));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoreCorruptException(
                    "the record of work item " + id + " cannot be read: " + e.getMessage() + ". Nothing was changed",
                    e);
        }
    }

    private static List<Effect> effects(WorkId id, List<String> lines) {
        List<Effect> effects = new ArrayList<>();
        for (String line : lines) {
            Words words = new Words("an effect", line);
            int number = words.smallNumber();
            boolean delivered = words.isFirstOf(DELIVERED, PENDING);
            effects.add(new Effect(id, number, words.rest(), delivered));
        }
        return effects;
    }
}
