package dev.leasehold.redis;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.internal.MovingStore;
import dev.leasehold.model.StoreId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A store in Redis that moves away, see move-away.lua. Fences in Redis stay. */
final class OutgoingRedisStore extends MovingStore {
    private static final LuaScript MOVE_AWAY = new LuaScript(RedisClient.Repeat.NEVER, "move-away");
    private static final LuaScript MOVE_ON = new LuaScript(RedisClient.Repeat.SAFE, "move-on");

    private final RedisClient client;
    private final RedisKeys keys;
    private final String mover;

    private OutgoingRedisStore(RedisClient client, RedisKeys keys, MovedStore state, String mover) {
        super(state, RedisLeaseStore.moved(client, keys, state.id()));
        this.client = client;
        this.keys = keys;
        this.mover = mover;
    }

    static OutgoingRedisStore start(RedisClient client, String to) {
        RedisKeys keys = new RedisKeys(client.address().namespace());
        String found = RedisStoreId.text(client, keys);
        MovedStore before = RedisStoreId.moved(client, keys, found);
        MovedStore state = MovedStore.toward(to, before == null ? StoreId.of(found) : before.id(), before);
        String mover = UUID.randomUUID().toString();
        ScriptArguments arguments = new ScriptArguments(6, 11)
                .add(keys.storeId())
                .add(keys.movedTo())
                .add(keys.names())
                .add(keys.entries())
                .add(keys.versions())
                .add(keys.mover())
                .add(keys.start())
                .add(found)
                .add(state.text())
                .add(state.to())
                .add(mover);
        requireDone(client, MOVE_AWAY.run(client, arguments));
        return new OutgoingRedisStore(client, keys, state, mover);
    }

    private static void requireDone(RedisClient client, @Nullable Object answer) {
        if (Resp.number(answer) == 0) {
            throw client.failures()
                    .unavailable(
                            "has a store that another process moves now; this move was given up. Repeat it when the"
                                    + " other one has ended");
        }
    }

    @Override
    protected void record(MovedStore next) {
        ScriptArguments arguments = new ScriptArguments(2, 4)
                .add(keys.storeId())
                .add(keys.mover())
                .add(mover)
                .add(next.text());
        requireDone(client, MOVE_ON.run(client, arguments));
    }
}
