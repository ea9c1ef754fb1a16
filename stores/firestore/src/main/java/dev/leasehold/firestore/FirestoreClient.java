package dev.leasehold.firestore;

import dev.leasehold.internal.JsonNumber;
import dev.leasehold.internal.JsonReader;
import dev.leasehold.internal.JsonWriter;
import dev.leasehold.internal.http.HttpConnection.Reply;
import dev.leasehold.internal.http.HttpService;
import dev.leasehold.internal.http.HttpService.Repeat;
import dev.leasehold.internal.http.RequestBytes;
import dev.leasehold.model.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls to one collection of Firestore. Safe for use by many threads. */
public final class FirestoreClient implements AutoCloseable {
    private static final JsonReader.Limits LIMITS = new JsonReader.Limits(32, 1_000_000, 40, true);
    private static final int MOST_CONFLICTS = 5;

    /** The field that every document has: its name. */
    static final String NAME = "__name__";

    private final FirestoreAddress address;
    private final AccessTokens tokens;
    private final HttpService service;

    private FirestoreClient(FirestoreAddress address, AccessTokens tokens, HttpService service) {
        this.address = address;
        this.tokens = tokens;
        this.service = service;
    }

    /**
     * Opens a client of a collection. The credentials come from the environment or from the machine.
     *
     * @param url {@code firestore://project/collection}
     */
    public static FirestoreClient connect(String url) {
        return connect(url, System.getenv());
    }

    static FirestoreClient connect(String url, Map<String, String> environment) {
        FirestoreAddress address = FirestoreAddress.parse(url, environment);
        AccessTokens tokens = address.emulator() ? () -> "owner" : GoogleCredentials.find(environment);
        HttpService service = new HttpService(
                "Firestore at " + address.server(), address.server(), address.timeout(), address.certificates());
        return new FirestoreClient(address, tokens, service);
    }

    /**
     * A document as it was at one moment of the service.
     *
     * @param version its time of update; empty if there is no document
     * @param fields its fields of type string
     */
    record Found(String id, String version, Map<?, ?> fields, Instant at) {
        @Nullable
        String text(String field) {
            return fields.get(field) instanceof Map<?, ?> value && value.get("stringValue") instanceof String text
                    ? text
                    : null;
        }
    }

    Found get(String id) {
        Object answer = succeed(":batchGet", Map.of("documents", List.of(address.document(id))), Repeat.SAFE);
        if (!(answer instanceof List<?> list) || list.isEmpty() || !(list.get(0) instanceof Map<?, ?> first)) {
            throw notFirestore();
        }
        return first.get("found") instanceof Map<?, ?> document
                ? found(document, first)
                : new Found(id, "", Map.of(), time(first));
    }

    private Found found(Map<?, ?> document, Map<?, ?> answer) {
        Object fields = document.get("fields");
        String name = String.valueOf(document.get("name"));
        return new Found(
                name.substring(name.lastIndexOf('/') + 1),
                String.valueOf(document.get("updateTime")),
                fields instanceof Map<?, ?> map ? map : Map.of(),
                time(answer));
    }

    private Instant time(Map<?, ?> answer) {
        try {
            return Instant.parse(String.valueOf(answer.get("readTime")));
        } catch (DateTimeException e) {
            throw notFirestore();
        }
    }

    /** The documents whose ids are in a range, in order, with this field of them. */
    List<Found> list(String from, boolean including, String below, int limit, String field) {
        Map<String, Object> query = Map.of(
                "from",
                List.of(Map.of("collectionId", address.collection())),
                "select",
                Map.of("fields", List.of(Map.of("fieldPath", field))),
                "where",
                Map.of(
                        "compositeFilter",
                        Map.of(
                                "op",
                                "AND",
                                "filters",
                                List.of(
                                        filter(including ? "GREATER_THAN_OR_EQUAL" : "GREATER_THAN", from),
                                        filter("LESS_THAN", below)))),
                "orderBy",
                List.of(Map.of("field", name())),
                "limit",
                limit);
        Object answer = succeed(":runQuery", Map.of("structuredQuery", query), Repeat.SAFE);
        if (!(answer instanceof List<?> list)) {
            throw notFirestore();
        }
        List<Found> documents = new ArrayList<>();
        for (Object each : list) {
            if (each instanceof Map<?, ?> part && part.get("document") instanceof Map<?, ?> document) {
                documents.add(found(document, part));
            }
        }
        return documents;
    }

    private static Map<String, Object> name() {
        return Map.of("fieldPath", NAME);
    }

    private Map<String, Object> filter(String operation, String id) {
        return Map.of(
                "fieldFilter",
                Map.of("field", name(), "op", operation, "value", Map.of("referenceValue", address.document(id))));
    }

    /**
     * Makes a change if the document is unchanged. False if it is not.
     *
     * @param expected the time of its last update; empty if it must not exist
     */
    boolean change(Map<String, Object> write, String expected) {
        Map<String, Object> conditional = new HashMap<>(write);
        conditional.put(
                "currentDocument", expected.isEmpty() ? Map.of("exists", false) : Map.of("updateTime", expected));
        for (int tries = 1; ; tries++) {
            Answer answer = call(":commit", Map.of("writes", List.of(conditional)), Repeat.NEVER);
            switch (answer.error) {
                case "" -> {
                    return true;
                }
                case "ALREADY_EXISTS", "FAILED_PRECONDITION", "NOT_FOUND" -> {
                    return false;
                }
                case "ABORTED" -> {
                    // Another change of the same document was under way. Nothing was written by this one.
                    if (tries == MOST_CONFLICTS) {
                        return false;
                    }
                }
                default -> throw failure(answer);
            }
        }
    }

    Map<String, Object> document(String id, Map<String, String> texts) {
        Map<String, Object> fields = new HashMap<>();
        texts.forEach((field, text) -> fields.put(field, Map.of("stringValue", text)));
        return Map.of("name", address.document(id), "fields", fields);
    }

    String name(String id) {
        return address.document(id);
    }

    /** @param error the kind of error; empty if the call succeeded */
    private record Answer(int status, String error, @Nullable Object body) {}

    private @Nullable Object succeed(String operation, Map<String, Object> request, Repeat repeat) {
        Answer answer = call(operation, request, repeat);
        if (!answer.error.isEmpty()) {
            throw failure(answer);
        }
        return answer.body;
    }

    private Answer call(String operation, Map<String, Object> request, Repeat repeat) {
        byte[] body = JsonWriter.line(request).getBytes(StandardCharsets.UTF_8);
        String token = tokens.get();
        Map<String, String> header = Map.of("Authorization", "Bearer " + token, "Content-Type", "application/json");
        byte[] whole =
                RequestBytes.of("POST", address.server(), "/v1/" + address.documents() + operation, header, body);
        Reply reply = service.call(() -> whole, repeat);
        try {
            Object answer = JsonReader.read(new String(reply.body(), StandardCharsets.UTF_8), LIMITS, JsonNumber::new);
            return new Answer(reply.status(), reply.status() == 200 ? "" : error(answer), answer);
        } catch (IllegalArgumentException e) {
            throw unavailable("answered with status " + reply.status()
                    + " and something that is not of Firestore: is the address correct?"
                    + (reply.status() >= 500 ? " It is unknown whether the operation took effect" : ""));
        }
    }

    /** Errors of calls with several answers are in a list. */
    private static String error(@Nullable Object answer) {
        Object first = answer instanceof List<?> list && !list.isEmpty() ? list.get(0) : answer;
        return first instanceof Map<?, ?> map && map.get("error") instanceof Map<?, ?> error
                ? String.valueOf(error.get("status"))
                : "unknown";
    }

    private StoreUnavailableException failure(Answer answer) {
        return switch (answer.error) {
            case "UNAUTHENTICATED" ->
                unavailable("rejects the credentials; nothing was changed. Check GOOGLE_APPLICATION_CREDENTIALS, or"
                        + " sign in again");
            case "PERMISSION_DENIED" ->
                unavailable("does not permit this account to use the database of project '" + address.project()
                        + "'; nothing was changed. It needs the role roles/datastore.user");
            case "NOT_FOUND" ->
                unavailable("has no database '" + address.database() + "' in project '" + address.project()
                        + "'; nothing was changed. Correct the URL, or create the database in native mode first");
            case "RESOURCE_EXHAUSTED" -> unavailable("asks to slow down; nothing was changed, try again");
            default ->
                unavailable("answered with status " + answer.status + " (" + answer.error + ")"
                        + (answer.status >= 500 ? "; it is unknown whether the operation took effect" : ""));
        };
    }

    private StoreUnavailableException notFirestore() {
        return unavailable("answered with something that is not of Firestore: is the address correct?");
    }

    private StoreUnavailableException unavailable(String what) {
        return new StoreUnavailableException(service.name() + " " + what);
    }

    FirestoreAddress address() {
        return address;
    }

    /** Closes the idle connections. */
    @Override
    public void close() {
        service.close();
    }
}
