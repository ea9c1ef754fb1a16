package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The served document. Holds requests and answers against it, and remembers what it has seen. */
final class OpenApiDocument {
    private static final String ID = "urn:leasehold:openapi";

    private final JsonNode document;
    private final SchemaRegistry schemas;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private OpenApiDocument(String text) {
        document = JsonMapper.shared().readTree(text);
        schemas = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(ID, text)));
    }

    static OpenApiDocument served() {
        try (InputStream in = LeaseholdServer.class.getResourceAsStream("openapi.json")) {
            return new OpenApiDocument(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks the body of a request that the server accepted. */
    void checkRequest(String method, String path, String body) {
        JsonNode schema = operation(method, path).at("/requestBody/content/application~1json/schema");
        validate(schema, body, method + " " + path + " accepted");
    }

    /** Checks a part of an answer against a schema. */
    void checkPart(String schema, String json) {
        assertThat(schemas.getSchema(SchemaLocation.of(ID + "#/components/schemas/" + schema))
                        .validate(json, InputFormat.JSON))
                .as(json)
                .isEmpty();
    }

    void checkAnswer(String method, String path, int status, String mediaType, String body) {
        JsonNode answer = resolve(operation(method, path).path("responses").path(Integer.toString(status)));
        assertThat(answer.isObject())
                .as("%s %s answers %s, which is not documented: %s", method, path, status, body)
                .isTrue();
        seen.add(method + " " + path + " " + status);
        if (!answer.has("content")) {
            assertThat(body).as("%s %s %s has no body", method, path, status).isEmpty();
            return;
        }
        JsonNode content = answer.path("content").path(mediaType);
        assertThat(content.isObject())
                .as("%s %s answers %s as %s, which is not documented", method, path, status, mediaType)
                .isTrue();
        validate(content.path("schema"), body, method + " " + path + " answered");
    }

    /** The documented answers that no test has seen. */
    Set<String> unseen() {
        Set<String> unseen = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> operation
                        .getValue()
                        .path("responses")
                        .propertyNames()
                        .forEach(status -> unseen.add(
                                operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey() + " " + status))));
        unseen.removeAll(seen);
        return unseen;
    }

    private JsonNode operation(String method, String path) {
        JsonNode operation = document.path("paths").path(path).path(method.toLowerCase(Locale.ROOT));
        assertThat(operation.isObject())
                .as("%s %s is not documented", method, path)
                .isTrue();
        return operation;
    }

    private JsonNode resolve(JsonNode node) {
        String reference = node.path("$ref").asString("");
        return reference.isEmpty() ? node : document.at(reference.substring(1));
    }

    private void validate(JsonNode schema, String body, String what) {
        String reference = schema.path("$ref").asString("");
        if (!reference.isEmpty()) {
            assertThat(schemas.getSchema(SchemaLocation.of(ID + reference)).validate(body, InputFormat.JSON))
                    .as("%s %s", what, body)
                    .isEmpty();
        }
    }
}
