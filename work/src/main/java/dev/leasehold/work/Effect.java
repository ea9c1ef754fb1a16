package dev.leasehold.work;

import java.util.List;

/**
 * A follow-up of a completed work item: a mail, a message, a call. It is stored together with the completion and delivered at
 * least once; the receiver recognises repeats by the {@link #id()}. {@link SideEffect} explains when to use which kind of effect.
 *
 * @param number the number of this effect of the key, from 1; it keeps rising if an operator has
 *     the key done again
 */
public record Effect(WorkId work, int number, String body, boolean delivered) {
    /** The maximum number of effects of one completion. */
    public static final int MAX_COUNT = 16;

    public static final int MAX_BYTES = 1024;

    public Effect {
        if (number < 1) {
            throw new IllegalArgumentException("the number of an effect must be 1 or more");
        }
        requireBody(body);
    }

    static String requireBody(String body) {
        StoredText.require("effect", body, MAX_BYTES);
        return body;
    }

    /**
     * Checks the effects of one completion.
     *
     * @throws IllegalArgumentException if there are too many, or one is too large
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
