package dev.leasehold.server;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Sha256;
import dev.leasehold.model.StoreCorruptException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key by which a client of a server is known. The store keeps only the digest of its secret.
 *
 * @param id names the key; it is the part of the key's text that is not secret
 * @param owner who it was made for, for people to read
 * @param prefix the key sees and touches only names that start with this
 * @param digest SHA-256 of the secret, which is random and long enough not to be guessed
 * @param expires null if it does not expire
 * @param revoked null if it was not revoked
 * @param used about when it was used last; null if it never was
 */
public record AccessKey(
        String id,
        String owner,
        Role role,
        String prefix,
        String digest,
        Instant made,
        @Nullable Instant expires,
        @Nullable Instant revoked,
        @Nullable Instant used) {
    private static final String HEADER = "leasehold key 1";

    /** Whether this is the secret of the key. The time that it takes tells nothing about the secret. */
    boolean hasSecret(String secret) {
        return MessageDigest.isEqual(
                digest.getBytes(StandardCharsets.US_ASCII), digestOf(secret).getBytes(StandardCharsets.US_ASCII));
    }

    static String digestOf(String secret) {
        return Sha256.hex(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether the key opens anything at this time. */
    public boolean isValid(Instant now) {
        return revoked == null && (expires == null || now.isBefore(expires));
    }

    AccessKey withRevoked(Instant at) {
        return new AccessKey(id, owner, role, prefix, digest, made, expires, at, used);
    }

    AccessKey withUsed(Instant at) {
        return new AccessKey(id, owner, role, prefix, digest, made, expires, revoked, at);
    }

    String format() {
        Fields fields = new Fields(HEADER)
                .put("owner", owner)
                .put("role", role.word())
                .put("prefix", prefix)
                .put("digest", digest)
                .put("made", made);
        if (expires != null) {
            fields.put("expires", expires);
        }
        if (revoked != null) {
            fields.put("revoked", revoked);
        }
        if (used != null) {
            fields.put("used", used);
        }
        return fields.format();
    }

    static AccessKey parse(String id, String text) {
        try {
            Fields fields = Fields.parse(HEADER, text);
            return new AccessKey(
                    id,
                    fields.require("owner"),
                    Role.ofWord(fields.require("role")),
                    fields.require("prefix"),
                    fields.require("digest"),
                    fields.requireInstant("made"),
                    fields.optional("expires", Fields::instant),
                    fields.optional("revoked", Fields::instant),
                    fields.optional("used", Fields::instant));
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException(
                    "the record of key " + id + " is damaged: " + e.getMessage() + ". It opens nothing", e);
        }
    }

    @Override
    public String toString() {
        return "key " + id + " of " + owner;
    }
}
