package dev.leasehold.redis;

import dev.leasehold.fence.TargetUnavailableException;
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
 * For your own scripts that must not obey a stale token. Put {@link #source()} in front of the
 * script, call {@code leasehold_admit} before the first write, pass {@link #arguments}, and let
 * {@link #admission} interpret the answer:
 * <pre>{@code
 * local refused = leasehold_admit(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
 * if refused then return refused end
 * redis.call('INCRBY', KEYS[2], ARGV[5])
 * return {'admitted'}
 * }</pre>
 * <p>Works with any client. Check and writes are one step, because Redis runs one script at a time.
 */
public final class RedisFenceScript {
    private RedisFenceScript() {}

    /** Lua that defines {@code leasehold_admit(fence key, name, token, attempt, store)}. */
    public static String source() {
        return LuaScript.read("fence");
    }

    /**
     * The key of a key's fence, different for each key. It is on the same cluster node as the key,
     * unless the key has braces that are empty or not closed; a cluster rejects those.
     */
    public static String fenceKey(String key) {
        if (!isTagged(key)) {
            return "leasehold:fence:{" + key + "}";
        }
        // A key that consists only of a part in braces looks like the fence of that part.
        boolean ambiguous = key.startsWith("{") && key.endsWith("}") && !isTagged(key.substring(1, key.length() - 1));
        return (ambiguous ? "leasehold:fence-of-tagged:" : "leasehold:fence:") + key;
    }

    /** Whether a cluster places the key by a part of it. */
    private static boolean isTagged(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open);
        return close > open + 1;
    }

    /** Name, token, attempt and store of a grant, in the order of {@code leasehold_admit}. */
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
     * Interprets a script's answer: {@code {'admitted'}}, or what {@code leasehold_admit} returned.
     *
     * @param target the guarded object, for the message
     * @param reply a list of strings or byte arrays, as the client returned it
     * @throws dev.leasehold.model.WrongFenceException if another lease guards the target
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
            throw new IllegalArgumentException("the script's answer is invalid: it must return {'admitted'}, or what"
                    + " leasehold_admit returned");
        }
        FenceDecision decision = state(answer).judge(grant, target, digest);
        if (decision instanceof FenceDecision.Admit) {
            throw new IllegalArgumentException("the fence of " + target + " refuses " + grant
                    + " for a reason that its record does not show; nothing was written");
        }
        return decision.answer();
    }

    /** Why fence-rebind.lua did not bind the fence; null if it did, or had done so before. */
    static @Nullable FenceDecision notRebound(Grant grant, String target, Object reply) {
        List<?> answer = reply instanceof List<?> list ? list : List.of(reply);
        String kind = text(answer.get(0));
        if ("admitted".equals(kind)) {
            return null;
        }
        if ("absent".equals(kind)) {
            throw new TargetUnavailableException(target + " has no fence: nothing was changed");
        }
        FenceDecision decision = state(answer).rebind(grant, target);
        return decision instanceof FenceDecision.Admit ? null : decision;
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
                text(answer.get(6)),
                null);
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : value == null ? null : value.toString();
    }
}
