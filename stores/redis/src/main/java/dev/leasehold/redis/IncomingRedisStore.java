package dev.leasehold.redis;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.IncomingStore;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Protocol.Command;

/** A namespace that is filled with the content of another store. It has no store id until it is complete. */
final class IncomingRedisStore implements IncomingStore {
    private final RedisClient client;
    private final RedisKeys keys;
    private final StoreId id;
    private final RedisRegister register;

    private IncomingRedisStore(RedisClient client, RedisKeys keys, StoreId id) {
        this.client = client;
        this.keys = keys;
        this.id = id;
        this.register = new RedisRegister(client, keys);
    }

    static IncomingRedisStore start(RedisClient client, StoreId id) {
        RedisKeys keys = new RedisKeys(client.address().namespace());
        if (client.call(RedisClient.Repeat.SAFE, Command.GET, keys.storeId()) != null) {
            throw client.failures()
                    .unavailable("has a store in namespace "
                            + client.address().namespace()
                            + " already; nothing was changed. Choose another namespace with ?ns=...");
        }
        return new IncomingRedisStore(client, keys, id);
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
        if (progress == null) {
            client.call(RedisClient.Repeat.SAFE, Command.DEL, keys.progress(name));
        } else {
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

    private static void add(List<byte[]> fields, String field, Object value) {
        fields.add(Resp.bytes(field));
        fields.add(Resp.bytes(value.toString()));
    }

    private void set(byte[] key, byte[] value) {
        client.call(RedisClient.Repeat.SAFE, Command.SET, key, value);
    }

    @Override
    public void complete() {
        client.call(RedisClient.Repeat.SAFE, Command.SET, keys.storeId(), Resp.bytes(id.value()), Resp.bytes("NX"));
    }

    @Override
    public void close() {
        client.close();
    }
}
