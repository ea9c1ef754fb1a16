package dev.leasehold.redis;

import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * For scripts of your own that must not obey a stale token. Put {@link #source()} in front of the script, call {@code
 * leasehold_admit} in it before the first write, hand in {@link #arguments}, and have the answer explained by {@link
 * #admission}:
 *
 * <pre>{@code
 * local refused = leasehold_admit(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
 * if refused then return refused end
 * redis.call('INCRBY', KEYS[2], ARGV[5])
 * return {'admitted'}
 * }</pre>
 *
 * <p>Works with any client. Check and writes are one step, because Redis runs a script alone.
 */
public final class RedisFenceScript {
    private RedisFenceScript() {}

    /** Lua that defines {@code leasehold_admit(fence key, name, token, attempt, store)}. */
    public static String source() {
        return Script.read("fence");
    }

    /**
     * Where the fence of a key is kept, another place for each key: on the same node of a cluster as the key, unless the key
     * has braces that enclose nothing or are not closed; a cluster refuses those.
     */
    public static String fenceKey(String key) {
        if (!isTagged(key)) {
            return "leasehold:fence:{" + key + "}";
        }
        // What stands alone in braces looks like the fence of what stands between them.
        boolean ambiguous = key.startsWith("{") && key.endsWith("}") && !isTagged(key.substring(1, key.length() - 1));
        return (ambiguous ? "leasehold:fence-of-tagged:" : "leasehold:fence:") + key;
    }

    /** Whether a cluster places the key by a part of it. */
    private static boolean isTagged(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open);
        return close > open + 1;
    }

    /** Name, token, attempt and store of a grant, as {@code leasehold_admit} takes them. */
    public static List<String> arguments(Grant grant) {
        AttemptId attempt = grant.attempt();
        StoreId store = grant.store();
        return List.of(
                grant.name().value(),
                grant.token().toString(),
                attempt == null ? "" : attempt.value(),
                store == null ? "" : store.value());
    }

    /**
     * What a script answered: {@code {'admitted'}}, or what {@code leasehold_admit} returned.
     *
     * @param target what is guarded, for the message
     * @param reply a list of strings or of bytes, as the client gave it
     * @throws dev.leasehold.model.WrongFenceException if the target is guarded by another lease
     */
    public static Admission admission(Grant grant, String target, Object reply) {
        return admission(grant, target, reply, "");
    }

    static Admission admission(Grant grant, String target, Object reply, String digest) {
        List<?> answer = reply instanceof List<?> list ? list : List.of(reply);
        String kind = text(answer.get(0));
        if ("admitted".equals(kind)) {
            return new Admission.Admitted(grant.token());
        }
        if (!"refused".equals(kind) || answer.size() != 7) {
            throw new IllegalArgumentException(
                    "the answer of the script is not understood: it must return {'admitted'}, or what"
                            + " leasehold_admit returned");
        }
        FenceDecision decision = state(answer).judge(grant, target, digest);
        if (decision instanceof FenceDecision.Admit) {
            throw new IllegalArgumentException("the fence of " + target + " refuses " + grant
                    + " for a reason that its record does not show; nothing was written");
        }
        return decision.answer();
    }

    private static FenceState state(List<?> answer) {
        String store = text(answer.get(2));
        String attempt = text(answer.get(4));
        String once = text(answer.get(5));
        return new FenceState(
                LeaseName.of(String.valueOf(text(answer.get(1)))),
                store == null || store.isEmpty() ? null : StoreId.of(store),
                FencingToken.parse(String.valueOf(text(answer.get(3)))),
                attempt == null || attempt.isEmpty() ? null : AttemptId.of(attempt),
                once == null || once.isEmpty() ? null : FencingToken.parse(once),
                text(answer.get(6)));
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : value == null ? null : value.toString();
    }
}
