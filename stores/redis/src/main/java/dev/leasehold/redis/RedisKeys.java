package dev.leasehold.redis;

/** The keys of one namespace. They share a hash tag, so a cluster keeps all of them on one node. */
final class RedisKeys {
    private final String tag;

    RedisKeys(String namespace) {
        this("{leasehold:" + namespace + "}:", "");
    }

    private RedisKeys(String start, String rest) {
        this.tag = start + rest;
    }

    /** The keys that a store has after it was moved away. */
    RedisKeys moved() {
        return below("moved:");
    }

    /** Other keys of the same namespace. */
    RedisKeys below(String part) {
        return new RedisKeys(tag, part);
    }

    /** How all keys start. */
    String start() {
        return tag;
    }

    byte[] storeId() {
        return key("id");
    }

    /** Which process moves the store. */
    byte[] mover() {
        return key("mover");
    }

    /** Where the store was moved. */
    byte[] movedTo() {
        return key("moved-to");
    }

    byte[] lease(String name) {
        return Resp.bytes(channel(name));
    }

    byte[] history(String name) {
        return key("history:" + name);
    }

    byte[] progress(String name) {
        return key("progress:" + name);
    }

    byte[] names() {
        return key("names");
    }

    /** The highest token of all forgotten names, as eight bytes. */
    byte[] floor() {
        return key("floor");
    }

    byte[] entry(String key) {
        return key("entry:" + key);
    }

    byte[] entries() {
        return key("entries");
    }

    byte[] versions() {
        return key("versions");
    }

    /**
     * The channel that announces a free name, without {@link #channelEnd}. It equals the key of the lease, so that scripts
     * do not have to build it.
     */
    String channel(String name) {
        return tag + "lease:" + name;
    }

    /**
     * What the channel has after the key of the lease, a character that no name has and the number of the database. The
     * first database does without, as most stores are in it.
     */
    static String channelEnd(int database) {
        return database == 0 ? "" : "\t" + database;
    }

    private byte[] key(String rest) {
        return Resp.bytes(tag + rest);
    }
}
