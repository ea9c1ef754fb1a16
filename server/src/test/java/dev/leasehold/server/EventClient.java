package dev.leasehold.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Listens to events as a browser does. */
final class EventClient implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final InputStream stream;
    private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();
    private final List<String> lines = new ArrayList<>();
    private final Thread thread = new Thread(this::read, "event-client");
    private volatile String lastId;
    private volatile boolean ended;

    /** @param lastId where to continue; null to hear what happens from now on */
    EventClient(URI server, String target, String key, String lastId) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(target));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        if (lastId != null) {
            request.header("Last-Event-ID", lastId);
        }
        this.lastId = lastId;
        HttpResponse<InputStream> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        stream = answer.body();
        if (answer.statusCode() != 200) {
            throw new IOException("HTTP " + answer.statusCode());
        }
        ApiFixture.DOCUMENT.checkAnswer(
                "GET",
                "/v1/events",
                200,
                answer.headers().firstValue("content-type").orElse(""),
                "");
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
                if (line.startsWith("id: ")) {
                    lastId = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    ApiFixture.DOCUMENT.checkPart("Event", line.substring(6));
                    events.add(JsonMapper.shared().readTree(line.substring(6)));
                }
            }
        } catch (IOException e) {
            // The connection broke off.
        } finally {
            ended = true;
        }
    }

    /** The next event, in words; null if there is none in time. */
    String next() throws InterruptedException {
        return next(20_000);
    }

    String next(long millis) throws InterruptedException {
        JsonNode event = events.poll(millis, TimeUnit.MILLISECONDS);
        return event == null ? null : words(event);
    }

    static String words(JsonNode event) {
        return event.path("type").asString() + " " + event.path("name").asString() + " "
                + event.path("token").asLong(0) + " " + event.path("outcome").asString();
    }

    String lastId() {
        return lastId;
    }

    boolean hasEnded() {
        return ended;
    }

    String text() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
