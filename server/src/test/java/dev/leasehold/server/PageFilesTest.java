package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.MemoryLeaseStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The files of the page, without a browser. */
class PageFilesTest {
    private static final Path SOURCES = Path.of("src/main/resources/dev/leasehold/server/page");

    private final HttpClient http = HttpClient.newHttpClient();
    private LeaseholdServer server;

    @BeforeEach
    void start() throws Exception {
        server = SharedServer.start(new MemoryLeaseStore());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.uri() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.filter(file -> !file.endsWith("files.txt")).sorted().toList();
        }
    }

    @Test
    void everyFileIsServedCompressedAndTogetherTheyAreSmall() throws Exception {
        int size = 0;
        for (Path file : files()) {
            String name = file.getFileName().toString();
            String path = name.equals("index.html") ? "/" : "/page/" + name;
            HttpResponse<byte[]> plain = get(path);
            assertThat(plain.statusCode()).as(path).isEqualTo(200);
            assertThat(plain.body()).isEqualTo(Files.readAllBytes(file));
            HttpResponse<byte[]> compressed = get(path, "Accept-Encoding", "br, gzip");
            assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
            size += compressed.body().length;
            String tag = plain.headers().firstValue("ETag").orElseThrow();
            HttpResponse<byte[]> unchanged = get(path, "If-None-Match", tag);
            assertThat(unchanged.statusCode()).isEqualTo(304);
            assertThat(unchanged.body()).isEmpty();
        }
        assertThat(size).isLessThan(150_000);
        assertThat(get("/page/files.txt").statusCode()).isEqualTo(404);
        assertThat(get("/page/../openapi.json").statusCode()).isIn(400, 404);
    }

    @Test
    void thePolicyAllowsOnlyTheFilesOfTheServer() throws Exception {
        HttpResponse<byte[]> page = get("/");
        String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertThat(policy)
                .contains("default-src 'none'", "require-trusted-types-for 'script'", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "http", "*", "data:");
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-cache");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    /** The policy would stop it too; here it is found before a browser does. */
    @Test
    void noFileMakesMarkupOfTextOrLoadsFromElsewhere() throws Exception {
        Pattern markup = Pattern.compile(
                "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|DOMParser|createContextualFragment|\\beval\\(|new"
                        + " Function");
        Pattern elsewhere = Pattern.compile("https?://(?!www\\.w3\\.org/)");
        for (Path file : files()) {
            String text = Files.readString(file);
            assertThat(markup.matcher(text).find()).as(file.toString()).isFalse();
            assertThat(elsewhere.matcher(text).find()).as(file.toString()).isFalse();
        }
    }

    @Test
    void aServerForOnePersonOpensWithItsOwnKeyOnly() throws Exception {
        try (LeaseholdServer own = LeaseholdServer.over(new MemoryLeaseStore())
                .listen(new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0))
                .onlyKey("the-key-of-alice", "alice")
                .start()) {
            URI access = own.uri().resolve("/v1/access");
            assertThat(status(access, null)).isEqualTo(401);
            assertThat(status(access, "another")).isEqualTo(401);
            assertThat(status(access, "the-key-of-alice")).isEqualTo(200);
            assertThat(status(own.uri().resolve("/"), null)).isEqualTo(200);
        }
    }

    private int status(URI uri, String key) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
