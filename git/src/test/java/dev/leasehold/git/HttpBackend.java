package dev.leasehold.git;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** An HTTP server that runs {@code git http-backend}, or serves plain files. */
final class HttpBackend implements AutoCloseable {
    private final Path root;
    private final Map<String, String> environment;
    private final boolean plainFiles;
    private final @Nullable String credentials;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private HttpBackend(Path root, Map<String, String> environment, boolean plainFiles, @Nullable String credentials)
            throws IOException {
        this.root = root;
        this.environment = Map.copyOf(environment);
        this.plainFiles = plainFiles;
        this.credentials = credentials;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** @param credentials the required {@code user:password}; null for none */
    static HttpBackend start(Path root, Map<String, String> environment, @Nullable String credentials)
            throws IOException {
        return new HttpBackend(root, environment, false, credentials);
    }

    static HttpBackend plainFiles(Path root) throws IOException {
        return new HttpBackend(root, Map.of(), true, null);
    }

    /** The address of a repository below the root. */
    String url(String userInfo, String repository) {
        return "http://" + userInfo + "127.0.0.1:" + server.getAddress().getPort() + "/" + repository;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (credentials != null && !isAllowed(exchange)) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
                exchange.sendResponseHeaders(401, -1);
            } else if (plainFiles) {
                file(exchange);
            } else {
                cgi(exchange);
            }
        }
    }

    private boolean isAllowed(HttpExchange exchange) {
        String wanted = "Basic "
                + Base64.getEncoder().encodeToString(String.valueOf(credentials).getBytes(StandardCharsets.UTF_8));
        return wanted.equals(exchange.getRequestHeaders().getFirst("Authorization"));
    }

    private void file(HttpExchange exchange) throws IOException {
        Path file = root.resolve(exchange.getRequestURI().getPath().substring(1));
        if (!Files.isRegularFile(file)) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        byte[] content = Files.readAllBytes(file);
        exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
        exchange.getResponseBody().write(content);
    }

    private void cgi(HttpExchange exchange) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
        Map<String, String> variables = builder.environment();
        variables.clear();
        variables.putAll(environment);
        variables.put("GIT_PROJECT_ROOT", root.toString());
        variables.put("GIT_HTTP_EXPORT_ALL", "1");
        variables.put("REQUEST_METHOD", exchange.getRequestMethod());
        variables.put("PATH_INFO", exchange.getRequestURI().getPath());
        String query = exchange.getRequestURI().getRawQuery();
        variables.put("QUERY_STRING", query == null ? "" : query);
        variables.put("REMOTE_USER", "somebody");
        variables.put("REMOTE_ADDR", "127.0.0.1");
        header(exchange, "Content-Type", "CONTENT_TYPE", variables);
        header(exchange, "Content-Encoding", "HTTP_CONTENT_ENCODING", variables);
        header(exchange, "Git-Protocol", "GIT_PROTOCOL", variables);
        byte[] body = exchange.getRequestBody().readAllBytes();
        variables.put("CONTENT_LENGTH", Integer.toString(body.length));
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(body);
        }
        answer(exchange, process.getInputStream().readAllBytes());
    }

    private static void header(HttpExchange exchange, String header, String variable, Map<String, String> variables) {
        List<String> values = exchange.getRequestHeaders().get(header);
        if (values != null) {
            variables.put(variable, values.get(0));
        }
    }

    private static void answer(HttpExchange exchange, byte[] output) throws IOException {
        InputStream in = new java.io.ByteArrayInputStream(output);
        int status = 200;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            String value = line.substring(colon + 1).strip();
            if (line.startsWith("Status:")) {
                status = Integer.parseInt(value.substring(0, 3));
            } else {
                exchange.getResponseHeaders().set(line.substring(0, colon), value);
            }
        }
        byte[] body = in.readAllBytes();
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.write(c);
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
