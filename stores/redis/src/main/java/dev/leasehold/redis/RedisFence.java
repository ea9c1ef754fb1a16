package dev.leasehold.redis;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.fence.WrongFenceException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key in Redis that a stale token cannot change: a string or a hash. Check and write are one script, so nothing can happen
 * between them, and a write that was delayed on its way is judged when it arrives. The fence is a hash of its own, see {@link
 * RedisFenceScript#fenceKey}.
 *
 * <p>Safe for use by many threads and processes. What it does not do: stop a program that writes the key without asking, or
 * remember more than Redis does. A Redis that loses data can lose the fence together with the value it guards.
 */
public final class RedisFence implements Fence<RedisWrite> {
    private static final String NOTHING = "raise";

    private final RedisClient client;
    private final String key;
    private final Script raise = new Script(RedisClient.Repeat.SAFE, "fence", "fence-write");
    // Sent again after it had taken effect, a write could be told to be stale although it happened.
    private final Script write = new Script(RedisClient.Repeat.NEVER, "fence", "fence-write");

    private RedisFence(RedisClient client, String key) {
        this.client = client;
        this.key = key;
    }

    /** Guards one key of the server; the client is not closed by the fence. */
    public static RedisFence at(RedisClient client, String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("the key to be guarded is empty: name one");
        }
        return new RedisFence(client, key);
    }

    @Override
    public Admission raise(Grant grant) {
        return run(raise, grant, "", NOTHING, List.of(), "whether the fence was raised is unknown, raise it again");
    }

    @Override
    public Admission admit(Grant grant, RedisWrite content) {
        return run(
                write, grant, "", content.kind(), content.values(), "whether it was written is unknown, write again");
    }

    @Override
    public Admission admitOnce(Grant grant, RedisWrite content) {
        return run(
                write,
                grant,
                content.digest(),
                content.kind(),
                content.values(),
                "whether it was written is unknown, write the same again");
    }

    private Admission run(
            Script script, Grant grant, String digest, String kind, List<byte[]> values, String whenUnanswered) {
        RedisArguments arguments = new RedisArguments(2, 8 + values.size())
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
        try {
            return RedisFenceScript.admission(grant, target(), answer, digest);
        } catch (WrongFenceException e) {
            throw e;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new TargetUnavailableException(
                    "the fence of " + target() + " cannot be read; nothing was written. Restore "
                            + RedisFenceScript.fenceKey(key) + " from a backup, or ask before you remove it",
                    e);
        }
    }

    private Object ask(Script script, RedisArguments arguments, String whenUnanswered) {
        try {
            @Nullable Object answer = script.run(client, arguments);
            return answer == null ? List.of() : answer;
        } catch (StoreUnavailableException e) {
            throw new TargetUnavailableException(target() + ": " + whenUnanswered + ": " + e.getMessage(), e);
        } catch (StoreCorruptException e) {
            throw new TargetUnavailableException(
                    target()
                            + " or its fence is not of the kind that is to be written; nothing was written. Look at it with TYPE",
                    e);
        }
    }

    private String target() {
        return "key " + key + " in Redis";
    }
}
