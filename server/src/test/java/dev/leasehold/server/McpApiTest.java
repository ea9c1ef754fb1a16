package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.server.ApiClient.Result;
import dev.leasehold.store.MemoryLeaseStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The tools for agents over HTTP. What they do is tested in their own module. */
abstract class McpApiTest extends ApiFixture {
    private static final String INITIALIZE =
            "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{}}}";
    private static final String LIST = "{'jsonrpc':'2.0','id':2,'method':'tools/list'}";
    private static final String META =
            "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{}}";
    private static final String NOTIFICATION = "{'jsonrpc':'2.0','method':'notifications/initialized'}";

    private Result post(ApiClient client, String json, String... headers) {
        String body = json.replace('\'', '"');
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send("POST", "/mcp", request, body);
    }

    private Result delete(ApiClient client, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder().DELETE();
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send("DELETE", "/mcp", request, null);
    }

    private JsonNode call(ApiClient client, String tool, String arguments) {
        Result result = post(
                client,
                "{'jsonrpc':'2.0','id':'c','method':'tools/call','params':{'name':'" + tool + "','arguments':"
                        + arguments + "}}");
        assertThat(result.status()).isEqualTo(200);
        return result.body().path("result");
    }

    private static String outcome(JsonNode result) {
        return result.at("/structuredContent/outcome").asString();
    }

    @Test
    void aSessionBeginsIsUsedAndEnds() {
        Result begun = post(api, INITIALIZE, "Accept", "application/json, text/event-stream");
        assertThat(begun.body().at("/result/protocolVersion").asString()).isEqualTo("2025-11-25");
        String session = begun.response().headers().firstValue("Mcp-Session-Id").orElseThrow();

        assertThat(post(api, NOTIFICATION, "Mcp-Session-Id", session).status()).isEqualTo(202);
        assertThat(post(api, LIST, "Mcp-Session-Id", session, "MCP-Protocol-Version", "2025-11-25")
                        .status())
                .isEqualTo(200);
        assertThat(delete(api, "Mcp-Session-Id", session).status()).isEqualTo(204);
        assertThat(post(api, LIST, "Mcp-Session-Id", session).status()).isEqualTo(404);
        assertThat(delete(api, "Mcp-Session-Id", session).status()).isEqualTo(404);
        assertThat(delete(api).status()).isEqualTo(400);
    }

    @Test
    void theStatelessVersionNeedsNoSession() {
        String[] headers = {"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover", "Mcp-Session-Id", "x"
        };
        Result discovered =
                post(api, "{'jsonrpc':'2.0','id':1,'method':'server/discover','params':{" + META + "}}", headers);
        assertThat(discovered.body().at("/result/resultType").asString()).isEqualTo("complete");
        assertThat(discovered.body().at("/result/ttlMs").isNumber()).isTrue();

        String call = "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'lease_acquire','arguments':"
                + "{'name':'job'}," + META + "}}";
        Result granted = post(
                api,
                call,
                "MCP-Protocol-Version",
                "2026-07-28",
                "Mcp-Method",
                "tools/call",
                "Mcp-Name",
                "lease_acquire");
        assertThat(granted.body().at("/result/structuredContent/outcome").asString())
                .isEqualTo("granted");
        Result unknown = post(
                api,
                "{'jsonrpc':'2.0','id':3,'method':'nonsense','params':{" + META + "}}",
                "MCP-Protocol-Version",
                "2026-07-28",
                "Mcp-Method",
                "nonsense");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.body().at("/error/code").asInt()).isEqualTo(-32601);
    }

    /** A proxy may decide by the headers. */
    @Test
    void headersMustSayTheSameAsTheBody() {
        String call = "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'lease_acquire','arguments':"
                + "{'name':'job'}," + META + "}}";
        for (String[] headers : wrongHeaders()) {
            Result refused = post(api, call, headers);
            assertThat(refused.status()).as(String.join(" ", headers)).isEqualTo(400);
            assertThat(refused.body().at("/error/code").asInt()).isEqualTo(-32020);
        }
        assertThat(store.inspect(LeaseName.of("job"))).isEmpty();
        assertThat(post(
                                api,
                                call,
                                "MCP-Protocol-Version",
                                "2026-07-28",
                                "Mcp-Method",
                                "tools/call",
                                "Mcp-Name",
                                "=?base64?bGVhc2VfYWNxdWlyZQ==?=")
                        .status())
                .isEqualTo(200);
    }

    private static List<String[]> wrongHeaders() {
        return List.of(
                new String[] {"Mcp-Method", "tools/call", "Mcp-Name", "lease_acquire"},
                new String[] {
                    "MCP-Protocol-Version", "2025-11-25", "Mcp-Method", "tools/call", "Mcp-Name", "lease_acquire"
                },
                new String[] {"MCP-Protocol-Version", "2026-07-28", "Mcp-Name", "lease_acquire"},
                new String[] {
                    "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list", "Mcp-Name", "lease_acquire"
                },
                new String[] {"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call"},
                new String[] {"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "explain"},
                new String[] {
                    "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "=?base64?!?="
                },
                new String[] {
                    "MCP-Protocol-Version",
                    "2026-07-28",
                    "Mcp-Method",
                    "tools/call",
                    "Mcp-Name",
                    "lease_acquire",
                    "Mcp-Name",
                    "explain"
                });
    }

    @Test
    void anUnknownVersionGetsTheListOfKnownOnes() {
        Result byHeader = post(api, LIST, "MCP-Protocol-Version", "1900-01-01");
        assertThat(byHeader.status()).isEqualTo(400);
        assertThat(byHeader.body().at("/error/data/supported").toString()).contains("2026-07-28", "2025-11-25");
        String body = "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{"
                + META.replace("2026-07-28", "2027-01-01") + "}}";
        Result byBody = post(api, body, "MCP-Protocol-Version", "2027-01-01", "Mcp-Method", "tools/list");
        assertThat(byBody.body().at("/error/code").asInt()).isEqualTo(-32022);
        assertThat(post(api, LIST, "MCP-Protocol-Version", "2026-07-28")
                        .body()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32602);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example",
                "http://localhost.evil.example",
                "http://localhost",
                "https://127.0.0.1:1",
                "null",
                "http://[::1",
                "http://evil.example@localhost:%d",
                "http://localhost:%d.evil.example",
                "http://localhost:%d/",
                "file://"
            })
    void aPageOfAnotherSiteIsRefused(String pattern) {
        String origin = pattern.replace("%d", Integer.toString(server.uri().getPort()));
        assertThat(post(api, LIST, "Origin", origin).problem()).isEqualTo("wrong-origin");
        assertThat(delete(api, "Origin", origin, "Mcp-Session-Id", "x").problem())
                .isEqualTo("wrong-origin");
    }

    @Test
    void aPageOfThisHostIsNot() {
        int port = server.uri().getPort();
        for (String host : List.of("localhost", "127.0.0.1", "[::1]")) {
            assertThat(post(api, LIST, "Origin", "http://" + host + ":" + port).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void whatIsNoMessageIsRefused() {
        for (String body : List.of("", "[]", "[" + LIST + "]", "{", "1", "{'jsonrpc':'1.0','id':1,'method':'ping'}")) {
            Result refused = post(api, body);
            assertThat(refused.status()).as(body).isEqualTo(400);
            assertThat(refused.body().path("error").toString()).doesNotContain("jackson", "Exception");
        }
        assertThat(post(api, LIST, "Accept", "text/html").problem()).isEqualTo("not-acceptable");
        assertThat(post(api, LIST, "Accept", "application/json;q=0").problem()).isEqualTo("not-acceptable");
        assertThat(post(api, LIST, "Accept", "*/*").status()).isEqualTo(200);
        assertThat(post(api, "'" + "x".repeat(70_000) + "'").problem()).isEqualTo("too-large");
        HttpRequest.Builder form = HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString("a=b"));
        assertThat(api.send("POST", "/mcp", form, null).problem()).isEqualTo("not-json");
        Result response = post(api, "{'jsonrpc':'2.0','id':1,'result':{}}");
        assertThat(response.status()).isEqualTo(202);
    }

    @Test
    void thereIsNoStream() throws Exception {
        assertThat(RawHttp.exchange(server.uri(), "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405")
                .contains("Allow: DELETE, POST");
    }

    /** A session of another key is none, and a session without a key permits nothing. */
    @Test
    void keysDecideAndSessionsDoNot() {
        AccessKeys keys = new AccessKeys(store.register());
        ApiClient alice =
                api.with(keys.add("alice", Role.HOLDER, "team-a/", null).text());
        ApiClient bob = api.with(keys.add("bob", Role.HOLDER, "team-b/", null).text());
        ApiClient reader = api.with(keys.add("eve", Role.READER, "", null).text());
        String session = post(alice, INITIALIZE)
                .response()
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();

        assertThat(post(bob, LIST, "Mcp-Session-Id", session).status()).isEqualTo(404);
        assertThat(delete(bob, "Mcp-Session-Id", session).status()).isEqualTo(404);
        JsonNode granted = call(alice, "lease_acquire", "{'name':'team-a/x'}");
        assertThat(granted.at("/structuredContent/holder").asString()).isEqualTo("alice");
        String handle = granted.at("/structuredContent/handle").asString();
        assertThat(outcome(call(bob, "lease_acquire", "{'name':'team-a/y'}"))).isEqualTo("forbidden");
        assertThat(outcome(call(bob, "lease_release", "{'handle':'" + handle + "'}")))
                .isEqualTo("forbidden");
        assertThat(outcome(call(bob, "explain", "{'name':'team-a/x'}"))).isEqualTo("forbidden");
        assertThat(call(bob, "lease_status", "{'prefix':'team'}").toString()).doesNotContain("team-a");
        assertThat(outcome(call(reader, "lease_release", "{'handle':'" + handle + "'}")))
                .isEqualTo("forbidden");
        assertThat(outcome(call(reader, "lease_status", "{'name':'team-a/x'}"))).isEqualTo("held");
        assertThat(outcome(call(alice, "lease_release", "{'handle':'" + handle + "'}")))
                .isEqualTo("released");

        assertThat(post(api, LIST, "Mcp-Session-Id", session).problem()).isEqualTo("unauthorized");
        assertThat(delete(api, "Mcp-Session-Id", session).problem()).isEqualTo("unauthorized");
    }

    /** There is no connection whose end would end the renewals, and no file of the server's host. */
    @Test
    void nothingIsKeptAliveAndNoFileIsWritten() {
        JsonNode refused = call(api, "lease_acquire", "{'name':'a','keep_alive':true}");
        assertThat(outcome(refused)).isEqualTo("invalid");
        assertThat(refused.path("isError").asBoolean()).isTrue();
        assertThat(outcome(call(api, "write_file", "{}"))).isEqualTo("forbidden");
        assertThat(post(api, LIST).body().toString()).doesNotContain("write_file", "keep_alive");
    }

    @Test
    void aStoreThatFailsAndTooManyRequestsAreProblems() throws Exception {
        StoreUnavailableException gone = new StoreUnavailableException("the disk is gone");
        try (LeaseholdServer broken = SharedServer.start(FailingStore.of(new MemoryLeaseStore(), gone))) {
            ApiClient client = new ApiClient(broken.uri(), DOCUMENT);
            assertThat(post(client, LIST).status()).isEqualTo(503);
            assertThat(delete(client, "Mcp-Session-Id", "x").status()).isEqualTo(503);
        }
        try (LeaseholdServer limited = LeaseholdServer.over(store)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .callsPerSecond(1)
                .start()) {
            ApiClient client = new ApiClient(limited.uri(), DOCUMENT);
            assertThat(IntStream.range(0, 20).map(i -> post(client, LIST).status()))
                    .contains(429);
            assertThat(IntStream.range(0, 20)
                            .map(i -> delete(client, "Mcp-Session-Id", "x").status()))
                    .contains(429);
        }
    }

    @Test
    void anotherHostIsRefused() throws Exception {
        for (Map.Entry<String, String> request : Map.of(
                        "POST", "Content-Type: application/json\r\nContent-Length: 2\r\n", "DELETE", "")
                .entrySet()) {
            String answer = RawHttp.exchange(
                    server.uri(),
                    request.getKey() + " /mcp HTTP/1.1\r\nHost: evil.example\r\n" + request.getValue()
                            + "Connection: close\r\n\r\n{}");
            assertThat(answer).startsWith("HTTP/1.1 421");
            DOCUMENT.checkAnswer(
                    request.getKey(),
                    "/mcp",
                    421,
                    "application/problem+json",
                    answer.substring(answer.indexOf("\r\n\r\n") + 4));
        }
    }
}
