package dev.leasehold.redis;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;

/** A store in Redis that moves away, see move-away.lua. Fences in Redis stay. */
final class OutgoingRedisStore implements OutgoingStore {
    private static final LuaScript MOVE_AWAY = new LuaScript(RedisClient.Repeat.NEVER, "move-away");

    private final RedisClient client;
    private final RedisKeys keys;
    private final MovedStore state;
    private final LeaseStore content;

    private OutgoingRedisStore(RedisClient client, RedisKeys keys, MovedStore state) {
        this.client = client;
        this.keys = keys;
        this.state = state;
        this.content = RedisLeaseStore.moved(client, keys, state.id());
    }

    static OutgoingRedisStore start(RedisClient client, String to) {
        RedisKeys keys = new RedisKeys(client.address().namespace());
        String found = RedisStoreId.text(client, keys);
        MovedStore before = RedisStoreId.moved(client, keys, found);
        MovedStore state = MovedStore.toward(to, before == null ? StoreId.of(found) : before.id(), before);
        if (!state.equals(before)) {
            replace(client, keys, found, state);
        }
        return new OutgoingRedisStore(client, keys, state);
    }

    private static void replace(RedisClient client, RedisKeys keys, String before, MovedStore after) {
        ScriptArguments arguments = new ScriptArguments(5, 9)
                .add(keys.storeId())
                .add(keys.movedTo())
                .add(keys.names())
                .add(keys.entries())
                .add(keys.versions())
                .add(keys.start())
                .add(before)
                .add(after.text())
                .add(after.to());
        if (Resp.number(MOVE_AWAY.run(client, arguments)) == 0) {
            throw client.failures()
                    .unavailable("was changed meanwhile, perhaps by another move; nothing was changed. Try again");
        }
    }

    @Override
    public StoreId id() {
        return state.id();
    }

    @Override
    public LeaseStore content() {
        return content;
    }

    @Override
    public void allCopied() {
        if (!state.allCopied()) {
            replace(client, keys, state.text(), state.copied());
        }
    }

    @Override
    public void close() {
        content.close();
    }
}
