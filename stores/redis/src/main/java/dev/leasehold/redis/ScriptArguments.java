package dev.leasehold.redis;

import java.time.Duration;

/** The keys and arguments of a script call, keys first. */
final class ScriptArguments {
    private final byte[][] values;
    private final int keys;
    private int filled;

    /** @param room the number of keys and arguments */
    ScriptArguments(int keys, int room) {
        this.keys = keys;
        // Leaves room for the script and the number of keys.
        this.values = new byte[room + 2][];
        this.values[1] = Resp.bytes(Integer.toString(keys));
        this.filled = 2;
    }

    ScriptArguments add(byte[] value) {
        values[filled++] = value;
        return this;
    }

    ScriptArguments add(String value) {
        return add(Resp.bytes(value));
    }

    ScriptArguments add(Duration duration) {
        return add(Long.toString(Resp.micros(duration)));
    }

    ScriptArguments add(long number) {
        return add(Long.toString(number));
    }

    /** Everything after the command's name. Can be requested again with another script. */
    byte[][] following(byte[] script) {
        if (filled != values.length) {
            throw new IllegalStateException(
                    (filled - 2) + " of " + (values.length - 2) + " values for " + keys + " keys");
        }
        byte[][] call = values.clone();
        call[0] = script;
        return call;
    }
}
