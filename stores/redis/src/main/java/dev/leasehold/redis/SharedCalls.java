package dev.leasehold.redis;

import dev.leasehold.internal.Combiner;
import dev.leasehold.internal.Pending;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Script calls of many callers that share round trips. Each call stays a command of its own, with its
 * own answer or error, so a caller's failure is its own. What is saved is system calls and wake-ups, on
 * both sides. Safe for use by many threads.
 */
final class SharedCalls {
    /** How many calls one round trip takes. */
    private static final int MOST = 256;

    /** A round trip is short, so few callers are faster side by side than one behind the other. */
    private static final Combiner.Lanes LANES = new Combiner.Lanes(8, 4);

    private static final class Request {
        /** Calls with the same key keep their order. A call without one need not. */
        private final @Nullable Object key;

        private final byte[][] arguments;

        Request(@Nullable Object key, byte[][] arguments) {
            this.key = key;
            this.arguments = arguments;
        }
    }

    /** @param value what the script returned, which may be nothing, or the error of the server */
    private record Answer(@Nullable Object value) {}

    private final RedisClient client;
    private final Combiner<Request, Answer> combiner;

    SharedCalls(RedisClient client) {
        this.client = client;
        this.combiner = new Combiner<>(MOST, LANES, request -> request.key, this::together, this::alone);
    }

    /**
     * Runs a script that may be sent again after its connection broke.
     *
     * @throws JedisNoScriptException if the server does not know the script
     */
    @Nullable
    Object evalsha(@Nullable Object key, byte[]... arguments) {
        Object value = combiner.ask(new Request(key, arguments)).value();
        if (value instanceof JedisNoScriptException unknown) {
            throw unknown;
        }
        if (value instanceof JedisDataException refused) {
            throw client.failures().explain(refused);
        }
        return value;
    }

    private Answer alone(Request request) {
        return new Answer(client.call(RedisClient.Repeat.SAFE, Command.EVALSHA, request.arguments));
    }

    private void together(List<Pending<Request, Answer>> requests) {
        List<byte[][]> commands = new ArrayList<>(requests.size());
        for (Pending<Request, Answer> each : requests) {
            commands.add(each.request().arguments);
        }
        List<Optional<Answer>> answers = new ArrayList<>(requests.size());
        for (Object value : client.evalshaAll(commands)) {
            answers.add(Optional.of(new Answer(value)));
        }
        Combiner.answer(requests, answers);
    }
}
