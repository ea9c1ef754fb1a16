package dev.leasehold.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The key of a server for one person. It is not in the store, and ends with the server. */
record OnlyKey(String text, String owner) {
    /** In constant time. */
    boolean is(String given) {
        return MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    Caller caller() {
        return new Caller(owner, Role.OPERATOR, "");
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "the key of " + owner;
    }
}
