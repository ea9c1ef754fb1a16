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

/** A step: its Lua text, and the name under which one server knows it. Safe for use by many threads. */
final class Script {
    private static final byte[] LOAD = Resp.bytes("LOAD");

    private final String[] parts;
    private final RedisClient.Repeat repeat;
    private byte @Nullable [] text;
    private volatile byte @Nullable [] digest;

    /** @param parts the resources that make up the script, in order */
    Script(RedisClient.Repeat repeat, String... parts) {
        this.parts = parts;
        this.repeat = repeat;
    }

    @Nullable
    Object run(RedisClient client, RedisArguments arguments) {
        byte[] known = digest;
        if (known != null) {
            try {
                return client.call(repeat, Protocol.Command.EVALSHA, arguments.behind(known));
            } catch (JedisNoScriptException e) {
                // The server was restarted or told to forget its scripts.
            }
        }
        return load(client, arguments);
    }

    /** Several calls in one round trip: the next is written and read while the server works on the one before it. */
    List<@Nullable Object> runAll(RedisClient client, List<RedisArguments> calls) {
        byte[] known = digest;
        if (known != null) {
            List<CommandArguments> commands = new ArrayList<>(calls.size());
            for (RedisArguments each : calls) {
                commands.add(evalsha(known, each));
            }
            try {
                return client.pipeline(repeat, commands);
            } catch (JedisNoScriptException e) {
                // As above.
            }
        }
        List<@Nullable Object> answers = new ArrayList<>();
        for (RedisArguments each : calls) {
            answers.add(run(client, each));
        }
        return answers;
    }

    private static CommandArguments evalsha(byte[] known, RedisArguments arguments) {
        return new CommandArguments(Protocol.Command.EVALSHA).addObjects((Object[]) arguments.behind(known));
    }

    /** Loads and runs in one round trip, so that the first use costs no more of them than the next. */
    private @Nullable Object load(RedisClient client, RedisArguments arguments) {
        byte[] source = source();
        CommandArguments load =
                new CommandArguments(Protocol.Command.SCRIPT).add(LOAD).add(source);
        CommandArguments run =
                new CommandArguments(Protocol.Command.EVAL).addObjects((Object[]) arguments.behind(source));
        List<@Nullable Object> answers = client.pipeline(repeat, List.of(load, run));
        digest = (byte[]) answers.get(0);
        return answers.get(1);
    }

    private synchronized byte[] source() {
        if (text == null) {
            text = read(parts).getBytes(StandardCharsets.UTF_8);
        }
        return text;
    }

    static String read(String... parts) {
        StringBuilder source = new StringBuilder();
        for (String part : parts) {
            try (InputStream in = Script.class.getResourceAsStream(part + ".lua")) {
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
