package dev.leasehold.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** A Lua script with its text and its digest on the server. Safe for use by many threads. */
final class LuaScript {
    private static final byte[] LOAD = Resp.bytes("LOAD");

    private final String head;
    private final String[] parts;
    private final RedisClient.Repeat repeat;
    private byte @Nullable [] text;
    private volatile byte @Nullable [] digest;

    /** @param parts the resources that make up the script, in order */
    LuaScript(RedisClient.Repeat repeat, String... parts) {
        this("", repeat, parts);
    }

    private LuaScript(String head, RedisClient.Repeat repeat, String[] parts) {
        this.head = head;
        this.parts = parts;
        this.repeat = repeat;
    }

    /** @param head lines that the parts need, each with its end */
    static LuaScript with(String head, RedisClient.Repeat repeat, String... parts) {
        return new LuaScript(head, repeat, parts);
    }

    @Nullable
    Object run(RedisClient client, ScriptArguments arguments) {
        byte[] known = digest;
        if (known != null) {
            try {
                return client.call(repeat, Protocol.Command.EVALSHA, arguments.following(known));
            } catch (JedisNoScriptException e) {
                // The server restarted or its script cache was flushed.
            }
        }
        return load(client, arguments);
    }

    /**
     * Runs the script in a round trip that other callers may share.
     *
     * @param key calls with the same one keep their order; null for a call that need not
     */
    @Nullable
    Object run(SharedCalls calls, RedisClient client, @Nullable Object key, ScriptArguments arguments) {
        byte[] known = digest;
        if (known != null && repeat == RedisClient.Repeat.SAFE) {
            try {
                return calls.evalsha(key, arguments.following(known));
            } catch (JedisNoScriptException e) {
                // The server restarted or its script cache was flushed.
            }
        }
        return load(client, arguments);
    }

    /**
     * Several calls in one round trip: the client sends the next call while the server runs the
     * previous one.
     */
    List<@Nullable Object> runAll(RedisClient client, List<ScriptArguments> calls) {
        byte[] known = digest;
        if (known != null) {
            List<CommandArguments> commands = new ArrayList<>(calls.size());
            for (ScriptArguments each : calls) {
                commands.add(evalsha(known, each));
            }
            try {
                return client.pipeline(repeat, commands);
            } catch (JedisNoScriptException e) {
                // The server restarted or its script cache was flushed.
            }
        }
        List<@Nullable Object> answers = new ArrayList<>();
        for (ScriptArguments each : calls) {
            answers.add(run(client, each));
        }
        return answers;
    }

    private static CommandArguments evalsha(byte[] known, ScriptArguments arguments) {
        return new CommandArguments(Protocol.Command.EVALSHA).addObjects((Object[]) arguments.following(known));
    }

    /** Loads and runs in one round trip, so that the first use costs no extra round trip. */
    private @Nullable Object load(RedisClient client, ScriptArguments arguments) {
        byte[] source = source();
        CommandArguments load =
                new CommandArguments(Protocol.Command.SCRIPT).add(LOAD).add(source);
        CommandArguments run =
                new CommandArguments(Protocol.Command.EVAL).addObjects((Object[]) arguments.following(source));
        List<@Nullable Object> answers = client.pipeline(repeat, List.of(load, run));
        digest = (byte[]) answers.get(0);
        return answers.get(1);
    }

    private synchronized byte[] source() {
        if (text == null) {
            text = (head + read(parts)).getBytes(StandardCharsets.UTF_8);
        }
        return text;
    }

    static String read(String... parts) {
        StringBuilder source = new StringBuilder();
        for (String part : parts) {
            try (InputStream in = LuaScript.class.getResourceAsStream(part + ".lua")) {
                if (in == null) {
                    throw new IllegalStateException(part + ".lua is missing from the jar");
                }
                source.append(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .append('\n');
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return source.toString();
    }
}
