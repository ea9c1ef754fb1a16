package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import dev.leasehold.internal.Failure;
import dev.leasehold.mcp.McpCaller;
import dev.leasehold.mcp.McpHttp;
import dev.leasehold.mcp.McpService;
import dev.leasehold.model.Holder;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The tools for agents. Whoever may look may call this path; each tool decides by the role and the
 * prefix of the key.
 */
final class McpCalls implements AutoCloseable {
    private static final String SESSION = "Mcp-Session-Id";
    private static final Set<String> OWN_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    private final McpService service;
    private final McpHttp http;
    private final StoreThreads threads;

    McpCalls(LeaseStore store, StoreThreads threads) throws IOException {
        this.threads = threads;
        service = McpService.over(store).build();
        http = new McpHttp(service);
    }

    void addTo(Routes routes) {
        routes.post("/mcp", Role.READER, this::post).delete("/mcp", this::end);
    }

    private void post(ApiRequest request, Reply reply) {
        HttpFields headers = reply.request().getHeaders();
        requireOwnOrigin(reply.request());
        requireJsonWanted(headers);
        McpHttp.Post message = new McpHttp.Post(
                request.body(),
                header(headers, "MCP-Protocol-Version"),
                header(headers, "Mcp-Method"),
                header(headers, "Mcp-Name"),
                header(headers, SESSION));
        McpHttp.Reply answer = http.answer(message, caller(request));
        String session = answer.session();
        if (session != null) {
            reply.header(SESSION, session);
        }
        byte[] body = answer.body();
        reply.send(
                body == null ? Answer.empty(answer.status()) : Answer.json(answer.status(), body),
                () -> undo(answer.undelivered()));
    }

    /** A header that is sent twice is one that nobody expects: a proxy could take the other value. */
    private static @Nullable String header(HttpFields headers, String name) {
        List<String> values = headers.getValuesList(name);
        return values.isEmpty() ? null : String.join(", ", values);
    }

    /** Best effort, and not on the thread of the connection: it waits for the store. */
    private void undo(Runnable undelivered) {
        try {
            threads.execute(undelivered);
        } catch (RejectedExecutionException e) {
            Failure.log("an answer was lost, and what it granted ends with its ttl", e);
        }
    }

    private void end(ApiRequest request, Reply reply) {
        requireOwnOrigin(reply.request());
        String session = header(reply.request().getHeaders(), SESSION);
        if (session == null) {
            throw new BadRequestException("the header '" + SESSION + "' is missing: it names the session to end");
        }
        if (!http.end(session, caller(request))) {
            throw new BadRequestException(ProblemType.NOT_FOUND, "there is no such session, or it is over");
        }
        reply.send(Answer.empty(204));
    }

    /** A page in a browser must not use what only programs of this host may use. */
    private static void requireOwnOrigin(Request request) {
        for (String origin : request.getHeaders().getValuesList(HttpHeader.ORIGIN)) {
            if (!isOwn(origin, Request.getLocalPort(request))) {
                throw new BadRequestException(
                        ProblemType.WRONG_ORIGIN, "pages of other sites may not call this; nothing was changed");
            }
        }
    }

    /** Compared as text: a browser writes an origin in one way only. */
    private static boolean isOwn(String origin, int port) {
        for (String host : OWN_HOSTS) {
            if (origin.equals("http://" + host + ":" + port) || origin.equals("https://" + host + ":" + port)) {
                return true;
            }
        }
        return false;
    }

    /** There are no streams here, so a client that does not take JSON gets nothing. */
    private static void requireJsonWanted(HttpFields headers) {
        List<String> wanted = headers.getQualityCSV(HttpHeader.ACCEPT);
        boolean json = !headers.contains(HttpHeader.ACCEPT);
        for (String type : wanted) {
            String media = type.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
            json |= media.equals("application/json") || media.equals("application/*") || media.equals("*/*");
        }
        if (!json) {
            throw new BadRequestException(
                    ProblemType.NOT_ACCEPTABLE,
                    "answers are JSON: send the header 'Accept: application/json, text/event-stream'");
        }
    }

    private static McpCaller caller(ApiRequest request) {
        Caller caller = request.caller();
        String owner = caller.owner();
        return new McpCaller(
                Holder.of(owner == null ? "mcp-client" : owner), caller.role().includes(Role.HOLDER), caller.prefix());
    }

    @Override
    public void close() {
        service.close();
    }
}
