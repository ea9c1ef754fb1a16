package dev.leasehold.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests as curl would, and holds every exchange against the document. */
final class ApiClient {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI server;
    private final OpenApiDocument document;
    private final String key;

    ApiClient(URI server, OpenApiDocument document) {
        this(server, document, null);
    }

    private ApiClient(URI server, OpenApiDocument document, String key) {
        this.server = server;
        this.document = document;
        this.key = key;
    }

    /** The same client with a key. */
    ApiClient with(String text) {
        return new ApiClient(server, document, text);
    }

    /** An answer. */
    record Result(int status, JsonNode body, HttpResponse<String> response) {
        String text(String field) {
            return body.path(field).asString("");
        }

        long number(String field) {
            return body.path(field).asLong();
        }

        /** The last part of the problem's type. */
        String problem() {
            return text("type").replace("urn:leasehold:problem:", "");
        }
    }

    Result get(String target) {
        return send("GET", target, HttpRequest.newBuilder().GET(), null);
    }

    /** @param json with single quotes instead of double quotes, and %s or %d for each of the values */
    Result post(String path, String json, Object... values) {
        String filled = json;
        for (Object value : values) {
            filled = filled.replaceFirst("%[sd]", Matcher.quoteReplacement(String.valueOf(value)));
        }
        String body = filled.replace('\'', '"');
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .header("Content-Type", "application/json; charset=utf-8")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return send("POST", path, request, body);
    }

    private static JsonNode json(HttpResponse<String> response) {
        String type = response.headers().firstValue("Content-Type").orElse("none");
        return JsonMapper.shared().readTree(type.endsWith("json") ? response.body() : "{}");
    }

    Result send(String method, String target, HttpRequest.Builder request, String body) {
        try {
            if (key != null) {
                request.header("Authorization", "Bearer " + key);
            }
            HttpResponse<String> response = http.send(
                    request.uri(server.resolve(target))
                            .timeout(Duration.ofSeconds(60))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            String path = target.replaceAll("\\?.*", "");
            if (body != null && response.statusCode() == 200) {
                document.checkRequest(method, path, body);
            }
            document.checkAnswer(
                    method,
                    path,
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse("none"),
                    response.body());
            return new Result(response.statusCode(), json(response), response);
        } catch (IOException e) {
            throw new AssertionError(method + " " + target, e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
