package dev.leasehold.redis;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.IncomingStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import redis.clients.jedis.Protocol.Command;

/**
 * A namespace that is filled with the content of another store. Everything is put under keys that
 * only this process uses, and one script gives them their names. If the process dies before that,
 * the keys stay.
 */
final class IncomingRedisStore implements IncomingStore {
    private static final LuaScript RECEIVE = new LuaScript(RedisClient.Repeat.NEVER, "receive");

    private final RedisClient client;
    private final String part = "incoming-" + UUID.randomUUID() + ":";
    private final RedisKeys place;
    private final RedisKeys keys;
    private final StoreId id;
    private final RedisRegister register;

    private IncomingRedisStore(RedisClient client, RedisKeys keys, StoreId id) {
        this.client = client;
        this.place = keys;
        this.keys = keys.below(part);
        this.id = id;
        this.register = new RedisRegister(client, this.keys);
    }

    static IncomingRedisStore start(RedisClient client, StoreId id) {
        RedisKeys keys = new RedisKeys(client.address().namespace());
        requireFree(client, keys);
        return new IncomingRedisStore(client, keys, id);
    }

    private static void requireFree(RedisClient client, RedisKeys keys) {
        if (client.call(RedisClient.Repeat.SAFE, Command.GET, keys.storeId()) != null) {
            throw taken(client);
        }
    }

    private static StoreUnavailableException taken(RedisClient client) {
        return client.failures()
                .unavailable("has a store in namespace " + client.address().namespace()
                        + " already; nothing was changed. Choose another namespace with ?ns=...");
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public void put(LeaseRecord record, List<Transfer> history) {
        String name = record.name().value();
        set(keys.lease(name), RedisRecords.bytes(record));
        set(keys.history(name), RedisRecords.bytes(history));
        LeaseRecord.Progress progress = record.progress();
        if (progress != null) {
            List<byte[]> fields = new ArrayList<>(List.of(keys.progress(name)));
            add(fields, "token", record.token());
            add(fields, "at", RedisRecords.micros(progress.at()));
            if (progress.note() != null) {
                add(fields, "note", progress.note());
            }
            if (progress.checkpoint() != null) {
                add(fields, "checkpoint", progress.checkpoint());
            }
            client.call(RedisClient.Repeat.SAFE, Command.HSET, fields.toArray(byte[][]::new));
        }
        client.call(RedisClient.Repeat.SAFE, Command.ZADD, keys.names(), Resp.bytes("0"), Resp.bytes(name));
    }

    @Override
    public void raiseFloor(long floor) {
        set(keys.floor(), ByteBuffer.allocate(Long.BYTES).putLong(floor).array());
    }

    private static void add(List<byte[]> fields, String field, Object value) {
        fields.add(Resp.bytes(field));
        fields.add(Resp.bytes(value.toString()));
    }

    private void set(byte[] key, byte[] value) {
        client.call(RedisClient.Repeat.SAFE, Command.SET, key, value);
    }

    @Override
    public void prepare() {
        requireFree(client, place);
    }

    @Override
    public void complete() {
        ScriptArguments arguments = new ScriptArguments(4, 7)
                .add(place.storeId())
                .add(keys.names())
                .add(keys.entries())
                .add(keys.versions())
                .add(place.start())
                .add(part)
                .add(id.value());
        if (Resp.number(RECEIVE.run(client, arguments)) == 0) {
            throw taken(client);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
