package dev.leasehold.durableobjects;

import dev.leasehold.internal.JsonReader;
import dev.leasehold.internal.JsonWriter;
import dev.leasehold.internal.http.HttpConnection.Reply;
import dev.leasehold.internal.http.HttpService;
import dev.leasehold.internal.http.HttpService.Repeat;
import dev.leasehold.internal.http.RequestBytes;
import dev.leasehold.model.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls to the Worker, each of which is one atomic step of one object. Safe for use by many threads. */
public final class DurableObjectsClient implements AutoCloseable {
    private final DurableObjectsAddress address;
    private final String key;
    private final HttpService service;

    private DurableObjectsClient(DurableObjectsAddress address, String key, HttpService service) {
        this.address = address;
        this.key = key;
        this.service = service;
    }

    /**
     * Opens a client of a store. The key comes from {@code LEASEHOLD_DURABLE_OBJECTS_KEY} or from the file that
     * the URL names.
     *
     * @param url {@code durable-objects://host/store}
     */
    public static DurableObjectsClient connect(String url) {
        return connect(url, System.getenv());
    }

    static DurableObjectsClient connect(String url, Map<String, String> environment) {
        DurableObjectsAddress address = DurableObjectsAddress.parse(url);
        HttpService service = new HttpService(
                "the Worker at " + address.server(), address.server(), address.timeout(), address.certificates());
        return new DurableObjectsClient(address, address.key(environment), service);
    }

    /**
     * A value as it was at one moment.
     *
     * @param value null if there is none
     */
    record Found(@Nullable String value, String version, Instant at) {}

    Found read(String name) {
        Map<String, @Nullable Object> answer = call(Repeat.SAFE, Map.of("call", "read", "key", name));
        Object value = answer.get("value");
        return new Found(
                value == null ? null : value.toString(),
                value == null ? "" : text(answer, "version"),
                Instant.ofEpochMilli(number(answer, "at")));
    }

    /**
     * Replaces a value if its version is the expected one.
     *
     * @param expected empty if there must be none
     * @param value null to remove it
     */
    boolean replace(String name, String expected, @Nullable String value) {
        Map<String, @Nullable Object> call = new HashMap<>();
        call.put("call", "replace");
        call.put("key", name);
        call.put("expected", expected);
        call.put("value", value);
        return Boolean.TRUE.equals(call(Repeat.NEVER, call).get("replaced"));
    }

    /**
     * The names that start with {@code prefix} and sort after {@code after}, with their versions. A Worker that was deployed
     * before lists had values leaves these out.
     */
    Map<String, Found> list(String prefix, String after, int limit, boolean withValues) {
        Map<String, @Nullable Object> answer = call(
                Repeat.SAFE,
                Map.of("call", "list", "prefix", prefix, "after", after, "limit", limit, "values", withValues));
        List<?> keys = list(answer, "keys");
        List<?> versions = list(answer, "versions");
        List<?> values = answer.get("values") == null ? List.of() : list(answer, "values");
        if (keys.size() != versions.size() || (!values.isEmpty() && values.size() != keys.size())) {
            throw notAWorker();
        }
        Instant at = Instant.ofEpochMilli(number(answer, "at"));
        Map<String, Found> found = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            String value = values.isEmpty() ? null : String.valueOf(values.get(i));
            found.put(String.valueOf(keys.get(i)), new Found(value, String.valueOf(versions.get(i)), at));
        }
        return found;
    }

    private List<?> list(Map<String, @Nullable Object> answer, String field) {
        if (answer.get(field) instanceof List<?> list) {
            return list;
        }
        throw notAWorker();
    }

    private Map<String, @Nullable Object> call(Repeat repeat, Map<String, ? extends @Nullable Object> call) {
        byte[] body = JsonWriter.line(call).getBytes(StandardCharsets.UTF_8);
        Map<String, String> header = Map.of("Authorization", "Bearer " + key, "Content-Type", "application/json");
        byte[] request = RequestBytes.of("POST", address.server(), "/v1/" + address.store(), header, body);
        Reply reply = service.call(() -> request, repeat);
        if (reply.status() == 401) {
            throw unavailable("rejects the key; nothing was changed. It must be the same as in 'wrangler secret put"
                    + " LEASEHOLD_KEY': check " + DurableObjectsAddress.VARIABLE
                    + ", or the file that auth-file names");
        }
        Map<String, @Nullable Object> answer = parsed(reply);
        if (reply.status() != 200) {
            throw unavailable("answered with status " + reply.status() + ": " + answer.get("error")
                    + (reply.status() >= 500 ? "; it is unknown whether the operation took effect" : ""));
        }
        return answer;
    }

    private Map<String, @Nullable Object> parsed(Reply reply) {
        try {
            return JsonReader.object(new String(reply.body(), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw unavailable("answered with status " + reply.status()
                    + " and something that is not of the Worker of Leasehold: is the address correct?"
                    + (reply.status() >= 500 ? " It is unknown whether the operation took effect" : ""));
        }
    }

    private String text(Map<String, @Nullable Object> answer, String field) {
        Object value = answer.get(field);
        if (value == null) {
            throw notAWorker();
        }
        return value.toString();
    }

    private long number(Map<String, @Nullable Object> answer, String field) {
        try {
            return Long.parseLong(text(answer, field));
        } catch (NumberFormatException e) {
            throw notAWorker();
        }
    }

    private StoreUnavailableException notAWorker() {
        return unavailable("answered with something that is not of the Worker of Leasehold: is the address correct?");
    }

    private StoreUnavailableException unavailable(String what) {
        return new StoreUnavailableException(service.name() + " " + what);
    }

    DurableObjectsAddress address() {
        return address;
    }

    /** Closes the idle connections. */
    @Override
    public void close() {
        service.close();
    }
}
