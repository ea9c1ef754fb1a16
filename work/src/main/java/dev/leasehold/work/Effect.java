package dev.leasehold.work;

import java.util.List;

/**
 * A follow-up of a completed work item: a mail, a message, a call. It is stored together with the completion and delivered at
 * least once; the receiver recognises repeats by the {@link #id()}. {@link SideEffect} explains when to use which kind of effect.
 *
 * @param number counts the effects of a key, from 1, also over completions that an operator asked to repeat
 */
public record Effect(WorkId work, int number, String body, boolean delivered) {
    /** How many one completion may declare. */
    public static final int MAX_COUNT = 16;

    public static final int MAX_BYTES = 1024;

    public Effect {
        if (number < 1) {
            throw new IllegalArgumentException("effects are counted from 1");
        }
        requireBody(body);
    }

    static String requireBody(String body) {
        StoredText.require("effect", body, MAX_BYTES);
        return body;
    }

    /**
     * The texts of the effects that one completion declares, if it may.
     *
     * @throws IllegalArgumentException if they are too many or too large
     */
    public static List<String> requireBodies(List<String> bodies) {
        if (bodies.size() > MAX_COUNT) {
            throw new IllegalArgumentException("a completion declares " + bodies.size() + " effects: at most "
                    + MAX_COUNT + " are allowed; nothing was changed");
        }
        bodies.forEach(Effect::requireBody);
        return bodies;
    }

    /** {@code key#number}: the idempotency key. It is unique under its lease name. */
    public String id() {
        return work.key() + "#" + number;
    }

    Effect asDelivered() {
        return new Effect(work, number, body, true);
    }
}
