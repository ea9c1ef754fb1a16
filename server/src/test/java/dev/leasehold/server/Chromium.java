package dev.leasehold.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real browser without a window, driven by its own protocol for developers. The usual libraries bring a
 * second browser or hundreds of megabytes, and the tests need a dozen of its messages.
 */
final class Chromium implements AutoCloseable {
    static final String PROGRAM = "chromium";

    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-default-apps",
            "--hide-scrollbars",
            "--force-device-scale-factor=1",
            "--lang=en-GB",
            "--remote-debugging-port=0");
    private static final int SECONDS = 60;

    private final Process process;
    private final Path directory;
    private final WebSocket socket;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final Map<String, Consumer<JsonNode>> listeners = new ConcurrentHashMap<>();

    private Chromium(Process process, Path directory, String address) {
        this.process = process;
        this.directory = directory;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address), new Receiver())
                .join();
    }

    private static @Nullable Chromium shared;

    /** One browser for all tests of the module: it takes seconds to start. It ends with the test JVM. */
    static synchronized Chromium shared() throws IOException {
        if (shared == null) {
            Chromium browser = start();
            Runtime.getRuntime().addShutdownHook(new Thread(browser::closeQuietly, "end-of-chromium"));
            shared = browser;
        }
        return shared;
    }

    private void closeQuietly() {
        try {
            close();
        } catch (IOException | RuntimeException e) {
            // Nobody is left who could be told. The files are temporary.
            process.destroyForcibly();
        }
    }

    private static Chromium start() throws IOException {
        Path directory = Files.createTempDirectory("leasehold-chromium");
        List<String> command = new ArrayList<>(List.of(PROGRAM));
        command.addAll(FLAGS);
        command.add("--user-data-dir=" + directory);
        ProcessBuilder builder = new ProcessBuilder(command);
        // The viewer's zone is not that of the store.
        builder.environment().put("TZ", "Europe/Berlin");
        Process process = builder.start();
        BufferedReader errors =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        String line = errors.readLine();
        while (line != null && !line.contains("DevTools listening on ")) {
            line = errors.readLine();
        }
        if (line == null) {
            throw new IOException("the browser did not start");
        }
        Thread drain = new Thread(() -> errors.lines().forEach(ignored -> {}), "chromium-errors");
        drain.setDaemon(true);
        drain.start();
        return new Chromium(process, directory, line.substring(line.indexOf("ws://")));
    }

    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                JsonNode message = JsonMapper.shared().readTree(text.toString());
                text.setLength(0);
                if (message.has("id")) {
                    Optional.ofNullable(answers.remove(message.path("id").asInt()))
                            .ifPresent(answer -> answer.complete(message));
                } else {
                    Optional.ofNullable(listeners.get(message.path("sessionId").asString("")))
                            .ifPresent(listener -> listener.accept(message));
                }
            }
            from.request(1);
            return null;
        }
    }

    /** Sends a message and waits for its answer. */
    JsonNode send(String session, String method, Map<String, ?> parameters) {
        int number = numbers.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(number, answer);
        Map<String, Object> message =
                new java.util.HashMap<>(Map.of("id", number, "method", method, "params", parameters));
        if (session != null) {
            message.put("sessionId", session);
        }
        String text = JsonMapper.shared().writeValueAsString(message);
        synchronized (socket) {
            socket.sendText(text, true).join();
        }
        JsonNode result = answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
        if (result.has("error")) {
            throw new AssertionError(method + ": " + result.path("error"));
        }
        return result.path("result");
    }

    /** Opens a tab that shares nothing with other tabs. */
    BrowserTab tab() {
        String context = send(null, "Target.createBrowserContext", Map.of())
                .path("browserContextId")
                .asString();
        String target = send(null, "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .path("targetId")
                .asString();
        String session = send(null, "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asString();
        BrowserTab tab = new BrowserTab(this, session, context);
        listeners.put(session, tab::heard);
        tab.prepare();
        return tab;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
