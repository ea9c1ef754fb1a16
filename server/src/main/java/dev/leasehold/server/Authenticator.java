package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import dev.leasehold.internal.Failure;
import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who calls. A key is read from the store again after a second, so that one that was
 * revoked anywhere opens nothing from the next second on.
 */
final class Authenticator {
    private static final String BEARER = "Bearer ";
    private static final long TRUSTED_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration USE_RECORDED = Duration.ofMinutes(1);
    private static final int MOST_REMEMBERED = 10_000;

    private final AccessKeys keys;
    private final boolean openWithoutKeys;
    private final @Nullable OnlyKey onlyKey;
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private volatile long closedSince;
    private volatile boolean closed;

    /** A key as it was read a moment ago. */
    private record Known(AccessKeys.Found found, long readAt) {}

    /**
     * @param openWithoutKeys whether everybody may call as long as the store has no keys
     * @param onlyKey a key that is not in the store and opens everything, while those of the store open
     *     nothing; null for the keys of the store
     */
    Authenticator(CasRegister register, boolean openWithoutKeys, @Nullable OnlyKey onlyKey) {
        this.keys = new AccessKeys(register);
        this.openWithoutKeys = openWithoutKeys;
        this.onlyKey = onlyKey;
    }

    /**
     * The caller that this header names. Waits for the store.
     *
     * @throws BadRequestException if it names none
     */
    Caller caller(@Nullable String header) {
        if (onlyKey != null) {
            if (header == null || !onlyKey.is(keyIn(header))) {
                throw refused("this server is for one person: open the address that 'leasehold ui' printed");
            }
            return onlyKey.caller();
        }
        if (header == null) {
            if (openWithoutKeys && !needsKeys()) {
                return Caller.ANYBODY;
            }
            throw refused("this server needs a key: send the header 'Authorization: Bearer KEY'."
                    + " An operator makes one with 'leasehold keys add'");
        }
        String text = keyIn(header);
        String[] parts = AccessKeys.split(text).orElse(null);
        AccessKeys.Found found = parts == null ? null : find(parts[0]);
        // The same answer for every reason: it must not tell which keys exist.
        if (parts == null
                || found == null
                || !found.key().hasSecret(parts[1])
                || !found.key().isValid(found.at())) {
            throw refused("the key is not valid: it is wrong, was revoked or has expired");
        }
        recordUse(found);
        return new Caller(found.key().owner(), found.key().role(), found.key().prefix());
    }

    /** The key in a header, which can be written in several ways; empty if there is none. */
    static String keyIn(String header) {
        return header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).trim()
                : "";
    }

    private static BadRequestException refused(String detail) {
        return new BadRequestException(ProblemType.UNAUTHORIZED, detail);
    }

    /** Once there was a key, there are keys for ever: a revoked one stays in the store. */
    private boolean needsKeys() {
        long now = System.nanoTime();
        if (!closed && (closedSince == 0 || now - closedSince > TRUSTED_NANOS)) {
            closed = keys.any();
            closedSince = now;
        }
        return closed;
    }

    private AccessKeys.@Nullable Found find(String id) {
        long now = System.nanoTime();
        Known before = known.get(id);
        if (before != null && now - before.readAt < TRUSTED_NANOS) {
            return before.found;
        }
        AccessKeys.Found found = keys.find(id).orElse(null);
        if (found == null) {
            known.remove(id);
        } else {
            if (known.size() >= MOST_REMEMBERED) {
                known.clear();
            }
            known.put(id, new Known(found, now));
        }
        return found;
    }

    /** Best effort, and at most once a minute for each key. */
    private void recordUse(AccessKeys.Found found) {
        Instant used = found.key().used();
        if (used == null || used.plus(USE_RECORDED).isBefore(found.at())) {
            try {
                keys.used(found.key());
                known.remove(found.key().id());
            } catch (RuntimeException e) {
                Failure.log("the use of " + found.key() + " could not be recorded", e);
            }
        }
    }
}
