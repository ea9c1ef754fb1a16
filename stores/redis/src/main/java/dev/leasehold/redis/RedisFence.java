package dev.leasehold.redis;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.WrongFenceException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Redis key, a string or a hash, that a stale token cannot change. Check and write are one
 * script, so nothing can happen between them, and a delayed write is judged when it arrives. The
 * fence is a separate hash, see {@link RedisFenceScript#fenceKey}.
 *
 * <p>Safe for use by many threads and processes. It does not stop a program that writes the key
 * without asking the fence, and it remembers no more than Redis does: a Redis that loses data can
 * lose the fence together with the value it guards.
 */
public final class RedisFence implements Fence<RedisWrite> {
    private static final String NOTHING = "raise";

    private final RedisClient client;
    private final String key;
    private final LuaScript raise = new LuaScript(RedisClient.Repeat.SAFE, "fence", "fence-write");
    private final LuaScript rebind = new LuaScript(RedisClient.Repeat.SAFE, "fence", "fence-rebind");
    // Not repeated: a write that already took effect could be reported as stale the second time.
    private final LuaScript write = new LuaScript(RedisClient.Repeat.NEVER, "fence", "fence-write");

    private RedisFence(RedisClient client, String key) {
        this.client = client;
        this.key = key;
    }

    /** Guards one key of the server. The fence does not close the client. */
    public static RedisFence at(RedisClient client, String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("the guarded key is empty: name one");
        }
        return new RedisFence(client, key);
    }

    @Override
    public Admission raise(Grant grant) {
        return run(raise, grant, "", NOTHING, List.of(), "it is unknown whether the fence was raised; raise it again");
    }

    @Override
    public Admission rebind(Grant grant) {
        if (grant.store() == null) {
            throw new IllegalArgumentException(grant + " does not name its store: a target cannot be bound to it");
        }
        ScriptArguments arguments = new ScriptArguments(1, 5).add(RedisFenceScript.fenceKey(key));
        for (String part : RedisFenceScript.arguments(grant)) {
            arguments.add(part);
        }
        Object answer = ask(rebind, arguments, "it is unknown whether the fence was bound; repeat it");
        return read(() -> {
            FenceDecision refused = RedisFenceScript.notRebound(grant, target(), answer);
            return refused == null ? new Admission.Admitted(grant.token()) : refused.answer();
        });
    }

    @Override
    public Admission admit(Grant grant, RedisWrite content) {
        return run(
                write,
                grant,
                "",
                content.kind(),
                content.values(),
                "it is unknown whether it was written; write again");
    }

    @Override
    public Admission admitOnce(Grant grant, RedisWrite content) {
        return run(
                write,
                grant,
                content.digest(),
                content.kind(),
                content.values(),
                "it is unknown whether it was written; write the same again");
    }

    private Admission run(
            LuaScript script, Grant grant, String digest, String kind, List<byte[]> values, String whenUnanswered) {
        ScriptArguments arguments = new ScriptArguments(2, 8 + values.size())
                .add(RedisFenceScript.fenceKey(key))
                .add(key);
        for (String part : RedisFenceScript.arguments(grant)) {
            arguments.add(part);
        }
        arguments.add(digest).add(kind);
        for (byte[] value : values) {
            arguments.add(value);
        }
        Object answer = ask(script, arguments, whenUnanswered);
        return read(() -> RedisFenceScript.admission(grant, target(), answer, digest));
    }

    private Admission read(Supplier<Admission> answer) {
        try {
            return answer.get();
        } catch (WrongFenceException e) {
            throw e;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new TargetUnavailableException(
                    "the fence of " + target() + " cannot be read; nothing was written. Do not delete "
                            + RedisFenceScript.fenceKey(key)
                            + ", or older tokens are admitted again: restore it from a backup",
                    e);
        }
    }

    private Object ask(LuaScript script, ScriptArguments arguments, String whenUnanswered) {
        try {
            @Nullable Object answer = script.run(client, arguments);
            return answer == null ? List.of() : answer;
        } catch (StoreUnavailableException e) {
            throw new TargetUnavailableException(target() + ": " + whenUnanswered + ": " + e.getMessage(), e);
        } catch (StoreCorruptException e) {
            throw new TargetUnavailableException(
                    target()
                            + " or its fence has another type than this write; nothing was written. Check it with TYPE",
                    e);
        }
    }

    private String target() {
        return "key " + key + " in Redis";
    }
}
