package dev.leasehold.redis;

import dev.leasehold.spi.CasRegister;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Small versioned values beside the leases. Compare-and-set is one script. Safe for use by many
 * threads.
 */
final class RedisRegister implements CasRegister {
    /** A script with more keys than this would keep other clients waiting for too long. */
    private static final int MOST_KEYS = 500;

    private final RedisClient client;
    private final RedisKeys keys;
    private final LuaScript read = new LuaScript(RedisClient.Repeat.SAFE, "register-read");
    private final LuaScript versions = new LuaScript(RedisClient.Repeat.SAFE, "register-versions");
    private final LuaScript readings = new LuaScript(RedisClient.Repeat.SAFE, "register-readings");
    // Not repeated: after taking effect, a second run would answer that nothing changed.
    private final LuaScript set = new LuaScript(RedisClient.Repeat.NEVER, "register-set");
    private final LuaScript remove = new LuaScript(RedisClient.Repeat.NEVER, "register-remove");

    RedisRegister(RedisClient client, RedisKeys keys) {
        this.client = client;
        this.keys = keys;
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireKey(key);
        Object answer = read.run(client, new ScriptArguments(1, 1).add(keys.entry(key)));
        return client.failures().parsed(() -> reading(Resp.list(answer)));
    }

    private static Reading reading(List<@Nullable Object> answer) {
        Instant at = Resp.instant(Resp.number(answer.get(0)));
        String version = Resp.optionalText(answer.get(1));
        return version == null ? Reading.absent(at) : new Reading(Optional.of(Resp.text(answer.get(2))), version, at);
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        CasRegister.requireKey(key);
        CasRegister.requireValue(value);
        ScriptArguments arguments = new ScriptArguments(3, 6)
                .add(keys.entry(key))
                .add(keys.entries())
                .add(keys.versions())
                .add(key)
                .add(expected)
                .add(value);
        return Resp.number(set.run(client, arguments)) == 1;
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireKey(key);
        ScriptArguments arguments = new ScriptArguments(2, 4)
                .add(keys.entry(key))
                .add(keys.entries())
                .add(key)
                .add(expected);
        return Resp.number(remove.run(client, arguments)) == 1;
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return SortedIndex.page(client, keys.entries(), prefix, after, limit);
    }

    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        Map<String, String> found = new LinkedHashMap<>();
        String last = after;
        List<String> entries;
        do {
            entries = keys(prefix, last, limit - found.size());
            if (!entries.isEmpty()) {
                last = entries.get(entries.size() - 1);
                addVersions(entries, found);
            }
            // Some may have been removed since, so a page that is not full need not be the last.
        } while (found.size() < limit && !entries.isEmpty());
        return found;
    }

    private void addVersions(List<String> entries, Map<String, String> found) {
        inPages(entries, page -> {
            List<@Nullable Object> answers = ask(versions, page);
            for (int i = 0; i < page.size(); i++) {
                String version = Resp.optionalText(answers.get(i));
                if (version != null) {
                    found.put(page.get(i), version);
                }
            }
        });
    }

    @Override
    public Map<String, Reading> readingsOf(List<String> entries) {
        Map<String, Reading> found = new LinkedHashMap<>();
        inPages(entries, page -> {
            List<@Nullable Object> answers = ask(readings, page);
            for (int i = 0; i < page.size(); i++) {
                Reading reading = reading(Resp.list(answers.get(i)));
                if (reading.value().isPresent()) {
                    found.put(page.get(i), reading);
                }
            }
        });
        return found;
    }

    /** A long script would hold up other clients of the server. */
    private void inPages(List<String> entries, Consumer<List<String>> reading) {
        for (int from = 0; from < entries.size(); from += MOST_KEYS) {
            List<String> page = entries.subList(from, Math.min(from + MOST_KEYS, entries.size()));
            client.failures().parsed(() -> {
                reading.accept(page);
                return page;
            });
        }
    }

    private List<@Nullable Object> ask(LuaScript script, List<String> entries) {
        ScriptArguments arguments = new ScriptArguments(entries.size(), entries.size());
        entries.forEach(key -> arguments.add(keys.entry(key)));
        return Resp.list(script.run(client, arguments));
    }
}
