package dev.leasehold.aws;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ConnectedRegister;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Versioned values in S3. Each key is a {@link S3Series}; an empty object says that the key was removed.
 * Safe for use by many threads.
 */
final class S3Register implements ConnectedRegister {
    private static final String HEADER = "leasehold value 1\n";

    /** Stores of earlier snapshots cut long keys elsewhere. Here they are not found, which is better than half a store. */
    static final String FORMAT = "v2/";

    private static final int PAGE = 1000;
    private static final int MOST_REMEMBERED = 500;
    private static final int MOST_TRIES = 4;

    private final S3Client client;
    private final String root;
    private final S3Leftovers leftovers;
    private final Supplier<Duration> shift;
    private final Map<String, Seen> latest = Collections.synchronizedMap(new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > MOST_REMEMBERED;
        }
    });

    /**
     * The highest object of a key, as it was seen last. An object never changes, so its value can be kept.
     *
     * @param value null if the key is absent
     */
    private record Seen(S3Series.Top top, @Nullable String value) {
        String version() {
            return value == null ? ABSENT : Long.toString(top.number());
        }
    }

    S3Register(S3Client client) {
        this(client, () -> Duration.ZERO);
    }

    /** @param shift is added to the time of the service: for tests */
    S3Register(S3Client client, Supplier<Duration> shift) {
        this.client = client;
        this.root = client.prefix() + FORMAT;
        this.leftovers = new S3Leftovers(client, root);
        this.shift = shift;
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireStoredKey(key);
        return reading(look(key));
    }

    private Reading reading(Seen seen) {
        return new Reading(
                Optional.ofNullable(seen.value), seen.version(), seen.top.at().plus(shift.get()));
    }

    private Seen look(String key) {
        S3Series series = series(key);
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            S3Series.Top top = series.top();
            Seen before = latest.get(key);
            if (top.size() == 0) {
                return remember(key, new Seen(top, null));
            }
            if (before != null && before.top.number() == top.number() && before.value != null) {
                return remember(key, new Seen(top, before.value));
            }
            S3Client.Content content = client.get(series.name(top.number()));
            if (content != null) {
                return remember(key, new Seen(top, text(key, content.body())));
            }
            // It was replaced and deleted since; the next list shows the new one.
        }
        throw new StoreCorruptException("an object of the key '" + key + "' in bucket '" + client.bucket()
                + "' is listed, but cannot be read: the service is not consistent, and cannot keep leases");
    }

    private Seen remember(String key, Seen seen) {
        latest.put(key, seen);
        return seen;
    }

    private static String text(String key, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (!text.startsWith(HEADER)) {
            throw new StoreCorruptException("the object of the key '" + key
                    + "' was not written by Leasehold; nothing was changed. Remove it, or choose another prefix");
        }
        return text.substring(HEADER.length());
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        CasRegister.requireStoredKey(key);
        CasRegister.requireValue(value);
        return replace(key, expected, value);
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireStoredKey(key);
        return !expected.equals(ABSENT) && replace(key, expected, null);
    }

    /** @param value null to remove the key */
    private boolean replace(String key, String expected, @Nullable String value) {
        Seen seen = latest.get(key);
        if (seen == null || !seen.version().equals(expected)) {
            seen = look(key);
            if (!seen.version().equals(expected)) {
                return false;
            }
        }
        S3Series series = series(key);
        byte[] body = value == null ? new byte[0] : (HEADER + value).getBytes(StandardCharsets.UTF_8);
        latest.remove(key);
        if (!series.append(seen.top, body, Map.of())) {
            return false;
        }
        long written = seen.top.number() + 1;
        // With the time before the write, when it certainly had no successor.
        latest.put(key, new Seen(new S3Series.Top(written, body.length, seen.top.at()), value));
        if (value == null) {
            series.deleteOld(written, 0);
            leftovers.delete();
        } else {
            series.deleteOldSometimes(written, 0);
        }
        return true;
    }

    private S3Series series(String key) {
        return new S3Series(client, root + S3Names.encode(key) + S3Names.END);
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return new ArrayList<>(versions(prefix, after, limit).keySet());
    }

    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        Map<String, String> versions = new LinkedHashMap<>();
        page(prefix, after, limit).forEach((key, top) -> versions.put(key, Long.toString(top.number())));
        return versions;
    }

    /** S3 lists names and times; a value takes a call of its own, unless it is known. */
    @Override
    public Map<String, Reading> readings(String prefix, String after, int limit) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        String last = after;
        boolean more = true;
        while (more && readings.size() < limit) {
            int asked = limit - readings.size();
            Map<String, S3Series.Top> page = page(prefix, last, asked);
            List<String> keys = List.copyOf(page.keySet());
            List<Reading> found = ParallelCalls.each(keys, key -> reading(key, page.get(key)));
            for (int i = 0; i < keys.size(); i++) {
                last = keys.get(i);
                if (found.get(i).value().isPresent()) {
                    readings.put(last, found.get(i));
                }
            }
            more = page.size() == asked;
        }
        return readings;
    }

    private Reading reading(String key, S3Series.@Nullable Top top) {
        Seen before = latest.get(key);
        if (top != null && before != null && before.top.number() == top.number() && before.value != null) {
            return reading(new Seen(top, before.value));
        }
        S3Client.Content content = top == null ? null : client.get(series(key).name(top.number()));
        // If it is gone, it was replaced or removed since the list.
        return top == null || content == null ? read(key) : reading(new Seen(top, text(key, content.body())));
    }

    private Map<String, S3Series.Top> page(String prefix, String after, int limit) {
        Map<String, S3Series.Top> found = new LinkedHashMap<>();
        String start = root + S3Names.encode(prefix);
        String last = after.isEmpty() ? null : behind(root + S3Names.encode(after));
        while (found.size() < limit) {
            S3Client.Page page = client.list(start, last, PAGE);
            leftovers.see(page);
            String known = "";
            for (S3Client.Entry entry : page.entries()) {
                String name = entry.name().substring(0, Math.max(0, entry.name().lastIndexOf(S3Names.END)));
                // The first object of a key is the current one. The older ones follow it.
                if (S3Series.isName(entry.name()) && !name.equals(known)) {
                    if (found.size() < limit && entry.size() > 0) {
                        add(name, entry, page.at(), found);
                    }
                    known = name;
                }
            }
            if (page.isLast() || page.entries().isEmpty()) {
                break;
            }
            last = known.isEmpty()
                    ? page.entries().get(page.entries().size() - 1).name()
                    : behind(known);
        }
        return found;
    }

    /** A text that sorts after all objects of a key and before those of the next one. */
    private static String behind(String name) {
        return name + S3Names.END + ":";
    }

    private void add(String name, S3Client.Entry entry, Instant at, Map<String, S3Series.Top> found) {
        if (name.length() <= root.length()) {
            return;
        }
        try {
            String key = S3Names.decode(name.substring(root.length()));
            found.put(key, new S3Series.Top(S3Series.number(entry.name()), entry.size(), at));
        } catch (IllegalArgumentException e) {
            // Not an object of a register: something else is stored under the same prefix.
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
