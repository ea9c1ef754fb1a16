package dev.leasehold.server;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Text;
import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The keys of a store, in its register: all servers of the store know them. */
public final class AccessKeys {
    static final String PREFIX = "keys/";

    private static final String FORM = "lhk_";
    private static final int ID_LENGTH = 10;
    private static final int MAX_OWNER = 100;
    private static final int PAGE = 500;

    private final CasRegister register;
    private final SystemIds ids = new SystemIds();

    public AccessKeys(CasRegister register) {
        this.register = register;
    }

    /**
     * A new key.
     *
     * @param text what the client sends. It is kept nowhere: show it once
     */
    public record Made(AccessKey key, String text) {}

    /**
     * Makes a key.
     *
     * @param prefix the names that it is for; empty for all
     * @param lifetime null if it does not expire
     */
    public Made add(String owner, Role role, String prefix, @Nullable Duration lifetime) {
        Text.printable("owner", owner, MAX_OWNER);
        if (!prefix.isEmpty()) {
            LeaseName.of(prefix);
        }
        String id = ids.unique().substring(0, ID_LENGTH);
        String secret = ids.unique() + ids.unique();
        CasRegister.Reading before = register.read(PREFIX + id);
        Instant now = before.at().truncatedTo(ChronoUnit.MICROS);
        AccessKey key = new AccessKey(
                id,
                owner,
                role,
                prefix,
                AccessKey.digestOf(secret),
                now,
                lifetime == null ? null : now.plus(lifetime),
                null,
                null);
        if (!register.compareAndSet(PREFIX + id, before.version(), key.format())) {
            throw new IllegalStateException("the id of a new key exists already; nothing was changed, try again");
        }
        return new Made(key, FORM + id + "_" + secret);
    }

    /** All keys, also those that were revoked or have expired. */
    public List<AccessKey> list() {
        List<AccessKey> keys = new ArrayList<>();
        String after = "";
        List<String> page;
        do {
            page = register.keys(PREFIX, after, PAGE);
            for (String entry : page) {
                find(entry.substring(PREFIX.length())).ifPresent(found -> keys.add(found.key()));
                after = entry;
            }
        } while (page.size() == PAGE);
        return keys;
    }

    /** Whether a key was ever made. From then on every call needs one. */
    public boolean any() {
        return !register.keys(PREFIX, "", 1).isEmpty();
    }

    /** Empty if there is no such key. It opens nothing from the next second on. */
    public Optional<AccessKey> revoke(String id) {
        return change(id, (key, now) -> key.revoked() == null ? key.withRevoked(now) : key);
    }

    /** Remembers that a key was used; best effort. */
    void used(AccessKey key) {
        change(key.id(), AccessKey::withUsed);
    }

    private Optional<AccessKey> change(String id, BiFunction<AccessKey, Instant, AccessKey> change) {
        return Contention.system().resolve("key " + id, () -> {
            CasRegister.Reading before = register.read(PREFIX + id);
            if (before.value().isEmpty()) {
                return Optional.of(Optional.<AccessKey>empty());
            }
            AccessKey key = AccessKey.parse(id, before.value().get());
            AccessKey after = change.apply(key, before.at().truncatedTo(ChronoUnit.MICROS));
            boolean done = after.equals(key) || register.compareAndSet(PREFIX + id, before.version(), after.format());
            return done ? Optional.of(Optional.of(after)) : Optional.empty();
        });
    }

    /** A key and the store time at which it was read. */
    record Found(AccessKey key, Instant at) {}

    Optional<Found> find(String id) {
        CasRegister.Reading reading = register.read(PREFIX + id);
        return reading.value().map(text -> new Found(AccessKey.parse(id, text), reading.at()));
    }

    /** The parts of what a client sends: the id and the secret. Empty if it is no key. */
    static Optional<String[]> split(String text) {
        int end = text.indexOf('_', FORM.length());
        boolean fits = text.startsWith(FORM) && end == FORM.length() + ID_LENGTH && text.length() < 200;
        if (!fits) {
            return Optional.empty();
        }
        String id = text.substring(FORM.length(), end);
        return id.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7'))
                ? Optional.of(new String[] {id, text.substring(end + 1)})
                : Optional.empty();
    }
}
