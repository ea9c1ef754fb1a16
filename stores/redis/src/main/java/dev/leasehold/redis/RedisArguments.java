package dev.leasehold.redis;

import java.time.Duration;

/** The keys and arguments of a script call, keys first. */
final class RedisArguments {
    private final byte[][] values;
    private final int keys;
    private int filled;

    /** @param room how many keys and arguments there will be */
    RedisArguments(int keys, int room) {
        this.keys = keys;
        // Two places are left for what precedes: the script, and the number of keys.
        this.values = new byte[room + 2][];
        this.values[1] = Resp.bytes(Integer.toString(keys));
        this.filled = 2;
    }

    RedisArguments add(byte[] value) {
        values[filled++] = value;
        return this;
    }

    RedisArguments add(String value) {
        return add(Resp.bytes(value));
    }

    RedisArguments add(Duration duration) {
        return add(Long.toString(Resp.micros(duration)));
    }

    RedisArguments add(long number) {
        return add(Long.toString(number));
    }

    /** Everything behind the command's name. May be asked for again with another script. */
    byte[][] behind(byte[] script) {
        if (filled != values.length) {
            throw new IllegalStateException(
                    (filled - 2) + " of " + (values.length - 2) + " values for " + keys + " keys");
        }
        byte[][] call = values.clone();
        call[0] = script;
        return call;
    }
}
