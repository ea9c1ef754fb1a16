package dev.leasehold.redis;

import dev.leasehold.redis.RedisClient.Repeat;

/**
 * The scripts of a lease. All may be sent again: attempt ids and tokens make a repetition harmless.
 */
final class LeaseScripts {
    private static final String CLOCK = "clock";
    private static final String RECORD = "record";
    private static final String CLAIM = "claim";
    private static final String TRANSFER = "transfer";
    private static final String CURRENT = "current";

    final LuaScript acquire;
    final LuaScript intervene;
    final LuaScript renew = new LuaScript(Repeat.SAFE, CLOCK, CURRENT, "renew");
    final LuaScript release;
    final LuaScript abandon;
    final LuaScript await = new LuaScript(Repeat.SAFE, CLOCK, RECORD, "await");
    final LuaScript progress = new LuaScript(Repeat.SAFE, CLOCK, CURRENT, "progress");
    final LuaScript inspect = new LuaScript(Repeat.SAFE, CLOCK, "inspect");
    final LuaScript forget = new LuaScript(Repeat.SAFE, CLOCK, "forget");
    final LuaScript erase = new LuaScript(Repeat.SAFE, "erase");

    /** @param database its number: the channels of all databases of a server are the same */
    LeaseScripts(int database) {
        String head = "local channel_end = '" + RedisKeys.channelEnd(database) + "'\n";
        acquire = LuaScript.with(head, Repeat.SAFE, CLOCK, RECORD, CLAIM, "acquire", TRANSFER);
        intervene = LuaScript.with(head, Repeat.SAFE, CLOCK, RECORD, CLAIM, "intervene", TRANSFER);
        release = LuaScript.with(head, Repeat.SAFE, CLOCK, CURRENT, "release");
        abandon = LuaScript.with(head, Repeat.SAFE, CLOCK, RECORD, "abandon");
    }
}
