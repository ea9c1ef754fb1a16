package dev.leasehold.events;

import dev.leasehold.internal.Words;
import dev.leasehold.model.FencingToken;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A target as the store remembers it.
 *
 * @param place an absolute path, or the URL of a git remote without its password
 * @param host the host that raised it; a path may mean another file on another host
 * @param fence the id of its fence; null if the fence has none
 * @param raised the highest token to which it was raised
 * @param at when it was raised to this token, in store time
 */
public record KnownTarget(String place, String host, @Nullable String fence, FencingToken raised, Instant at) {
    static KnownTarget parse(String line) {
        Words words = new Words("a target", line);
        Instant at = words.instant();
        FencingToken raised = words.token();
        String fence = words.optional(id -> id);
        String host = words.word();
        return new KnownTarget(words.rest(), host, fence, raised, at);
    }

    String line() {
        return Words.join(at, raised, fence, host, place);
    }

    /** Whether both are one fence, or one replaces the other at the same place. */
    boolean isReplacedBy(KnownTarget other) {
        return (fence != null && fence.equals(other.fence)) || (place.equals(other.place) && host.equals(other.host));
    }

    /** Whether {@code place} means the same on every host. */
    public boolean isEverywhere() {
        return isRemote(place);
    }

    /** Whether a text means a git remote: as in git, a colon before any slash means host:path. */
    public static boolean isRemote(String text) {
        int colon = text.indexOf(':');
        return text.contains("://") || (colon > 0 && text.substring(0, colon).indexOf('/') < 0);
    }

    /** For people. */
    public String shown() {
        return isEverywhere() ? place : host + ":" + place;
    }
}
