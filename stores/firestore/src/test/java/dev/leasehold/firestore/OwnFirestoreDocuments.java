package dev.leasehold.firestore;

import dev.leasehold.internal.JsonReader;
import dev.leasehold.internal.JsonWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** A program with documents of its own, which it commits together, as any client of Firestore does. */
final class OwnFirestoreDocuments {
    private static final String ROOT = "projects/demo-leasehold/databases/(default)/documents";

    private final HttpClient http = HttpClient.newHttpClient();
    private final String server;
    private final String id;

    OwnFirestoreDocuments(int port, String id) {
        this.server = "http://127.0.0.1:" + port + "/v1/" + ROOT;
        this.id = id;
    }

    /** A commit that is ready to be sent. */
    interface Commit {
        /** True if it took effect. */
        boolean arrives() throws IOException, InterruptedException;
    }

    boolean commit(FirestoreFence.Condition condition, String content) throws IOException, InterruptedException {
        return prepare(condition, content).arrives();
    }

    /** Two documents of the caller, and the condition. */
    Commit prepare(FirestoreFence.Condition condition, String content) {
        Map<String, Object> guard = Map.of(
                "update",
                document(condition.document(), "fence", condition.value()),
                "updateMask",
                Map.of("fieldPaths", List.of("fence")),
                "currentDocument",
                Map.of("updateTime", condition.updateTime()));
        List<Map<String, Object>> writes = List.of(
                Map.of("update", document("orders/" + id, "content", content)),
                Map.of("update", document("orders/" + id + "-index", "length", content.length() + " characters")),
                guard);
        String body = JsonWriter.line(Map.of("writes", writes));
        return () -> {
            while (true) {
                HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(server + ":commit"))
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
                if (answer.statusCode() == 200 || answer.body().contains("FAILED_PRECONDITION")) {
                    return answer.statusCode() == 200;
                }
                // Another commit was under way. Nothing was written by this one.
                if (!answer.body().contains("ABORTED")) {
                    throw new IOException(answer.body());
                }
            }
        };
    }

    String read() throws IOException, InterruptedException {
        String body = send(HttpRequest.newBuilder(URI.create(server + "/orders/" + id)))
                .body();
        Map<?, ?> fields = (Map<?, ?>) JsonReader.object(body).get("fields");
        return String.valueOf(((Map<?, ?>) fields.get("content")).get("stringValue"));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.header("Authorization", "Bearer owner").build(), HttpResponse.BodyHandlers.ofString());
    }

    private static Map<String, Object> document(String path, String field, String value) {
        return Map.of("name", ROOT + "/" + path, "fields", Map.of(field, Map.of("stringValue", value)));
    }
}
