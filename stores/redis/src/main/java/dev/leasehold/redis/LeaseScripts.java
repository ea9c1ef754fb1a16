package dev.leasehold.redis;

import dev.leasehold.redis.RedisClient.Repeat;

/** The steps of a lease. All may be sent again: attempt ids and tokens make the second time harmless. */
final class LeaseScripts {
    private static final String CLOCK = "clock";
    private static final String RECORD = "record";
    private static final String CLAIM = "claim";
    private static final String TRANSFER = "transfer";
    private static final String CURRENT = "current";

    final Script acquire = new Script(Repeat.SAFE, CLOCK, RECORD, CLAIM, "acquire", TRANSFER);
    final Script intervene = new Script(Repeat.SAFE, CLOCK, RECORD, CLAIM, "intervene", TRANSFER);
    final Script renew = new Script(Repeat.SAFE, CLOCK, CURRENT, "renew");
    final Script release = new Script(Repeat.SAFE, CLOCK, CURRENT, "release");
    final Script abandon = new Script(Repeat.SAFE, CLOCK, RECORD, "abandon");
    final Script await = new Script(Repeat.SAFE, CLOCK, RECORD, "await");
    final Script progress = new Script(Repeat.SAFE, CLOCK, CURRENT, "progress");
    final Script inspect = new Script(Repeat.SAFE, CLOCK, "inspect");
    final Script erase = new Script(Repeat.SAFE, "erase");
}
