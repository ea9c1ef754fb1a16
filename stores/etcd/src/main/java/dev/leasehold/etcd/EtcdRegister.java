package dev.leasehold.etcd;

import dev.leasehold.internal.SharedWrites;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A register in etcd. The version of a key is its mod revision, which never comes back: revisions count all changes of
 * the cluster.
 */
final class EtcdRegister implements ClocklessRegister, ConnectedRegister {
    private static final Clock CLOCK = Clock.systemUTC();

    /** How many values there are in the first answer of a list, because a value may be large. */
    private static final int FIRST_VALUES = 200;

    /** How long an answer should be at most, if the next values are as long as the last ones. etcd counts all keys for each. */
    private static final int MOST_CHARACTERS = 2_000_000;

    private final EtcdClient client;
    private final String prefix;
    private final SharedWrites<Write, Optional<String>> writes = new SharedWrites<>(this::together, this::alone);

    /** @param revision that the key must have; zero if it must not exist */
    private record Write(String key, long revision, Map<String, Object> operation, int bytes)
            implements SharedWrites.Write {
        Map<String, Object> transaction() {
            return EtcdMessages.transaction(EtcdMessages.unchanged(key, revision), List.of(operation));
        }
    }

    EtcdRegister(EtcdClient client) {
        this.client = client;
        this.prefix = client.address().path() + "/";
    }

    /** To be called before a store is created. */
    void requireNoNesting() {
        EtcdNesting.requireNone(client);
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireStoredKey(key);
        List<EtcdKey> found = range(EtcdMessages.range(prefix + key));
        return found.isEmpty() ? Reading.absent(CLOCK.instant()) : reading(found.get(0));
    }

    private List<EtcdKey> range(Map<String, Object> message) {
        return EtcdMessages.keys(client.call("kv/range", message, EtcdClient.Repeat.SAFE));
    }

    private static Reading reading(EtcdKey key) {
        return new Reading(Optional.of(key.value()), Long.toString(key.revision()), CLOCK.instant());
    }

    @Override
    public Optional<String> replace(String key, String expected, String value) {
        CasRegister.requireStoredKey(key);
        CasRegister.requireValue(value);
        long revision = revision(expected);
        if (revision < 0) {
            return Optional.empty();
        }
        return writes.make(new Write(prefix + key, revision, EtcdMessages.put(prefix + key, value), value.length()));
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireStoredKey(key);
        long revision = revision(expected);
        return revision > 0
                && alone(new Write(prefix + key, revision, EtcdMessages.delete(prefix + key), 0))
                        .isPresent();
    }

    /** Returns the revision that the write made; empty if the key had changed. */
    private Optional<String> alone(Write write) {
        return EtcdMessages.revision(client.call("kv/txn", write.transaction(), EtcdClient.Repeat.NEVER));
    }

    /** One transaction for all, and within it one for each, so that a write that is out of date harms no other. */
    private List<Optional<Optional<String>>> together(List<Write> requests) {
        List<Map<String, Object>> transactions = new ArrayList<>(requests.size());
        requests.forEach(write -> transactions.add(write.transaction()));
        try {
            Map<String, @Nullable Object> answer =
                    client.call("kv/txn", EtcdMessages.transactions(transactions), EtcdClient.Repeat.NEVER);
            List<Optional<Optional<String>>> revisions = new ArrayList<>(requests.size());
            EtcdMessages.revisions(answer, requests.size()).forEach(each -> revisions.add(Optional.of(each)));
            return revisions;
        } catch (EtcdRefusedException e) {
            if (e.isInvalid()) {
                return List.of();
            }
            throw e;
        }
    }

    /** Zero for a key that must not exist; negative if no key can have this version. */
    private static long revision(String version) {
        if (version.equals(ABSENT)) {
            return 0;
        }
        try {
            long revision = Long.parseLong(version);
            return revision > 0 ? revision : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    @Override
    public List<String> keys(String keyPrefix, String after, int limit) {
        return new ArrayList<>(versions(keyPrefix, after, limit).keySet());
    }

    @Override
    public Map<String, String> versions(String keyPrefix, String after, int limit) {
        Map<String, String> versions = new LinkedHashMap<>();
        for (EtcdKey key : range(EtcdMessages.page(prefix, keyPrefix, after, limit, true))) {
            versions.put(nameOf(key), Long.toString(key.revision()));
        }
        return versions;
    }

    @Override
    public Map<String, Reading> readings(String keyPrefix, String after, int limit) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        String last = after;
        boolean more = true;
        int most = FIRST_VALUES;
        while (more && readings.size() < limit) {
            int asked = Math.min(most, limit - readings.size());
            List<EtcdKey> page = range(EtcdMessages.page(prefix, keyPrefix, last, asked, false));
            int characters = 1;
            for (EtcdKey key : page) {
                last = nameOf(key);
                readings.put(last, reading(key));
                characters += key.value().length();
            }
            more = page.size() == asked;
            most = Math.max(1, (int) Math.min(limit, (long) MOST_CHARACTERS * page.size() / characters));
        }
        return readings;
    }

    private String nameOf(EtcdKey key) {
        return key.name().substring(prefix.length());
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("a transaction of etcd compares the revision and writes in one step of its consensus");
    }

    @Override
    public void close() {
        client.close();
    }

    /** The place, without credentials. */
    @Override
    public String toString() {
        return client.address().toString();
    }
}
