package dev.leasehold.mcp;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The answers to requests over HTTP, each of which carries one message. There are no streams: the
 * server has nothing to say on its own.
 */
public final class McpHttp {
    private static final String ENCODED = "=?base64?";
    private static final String ENCODED_END = "?=";

    private final McpService service;
    private final McpSessions sessions = new McpSessions(System::nanoTime);

    public McpHttp(McpService service) {
        this.service = service;
    }

    /**
     * A POST.
     *
     * @param version the header {@code MCP-Protocol-Version}
     * @param method the header {@code Mcp-Method}
     * @param name the header {@code Mcp-Name}
     * @param session the header {@code Mcp-Session-Id}
     */
    @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
    public record Post(
            byte[] body,
            @Nullable String version,
            @Nullable String method,
            @Nullable String name,
            @Nullable String session) {}

    /**
     * The answer to a POST.
     *
     * @param body JSON; null if there is none
     * @param session the value of the header {@code Mcp-Session-Id}; null if it is not sent
     * @param undelivered what to do if the client does not get it
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Reply(int status, byte @Nullable [] body, @Nullable String session, Runnable undelivered) {
        static Reply of(int status, @Nullable Object id, RpcError error) {
            return new Reply(status, RpcAnswer.of(id, error).toJson(), null, () -> {});
        }

        static Reply accepted() {
            return new Reply(202, null, null, () -> {});
        }
    }

    public Reply answer(Post post, McpCaller caller) {
        Message message = Message.read(post.body);
        if (message instanceof Message.Unusable unusable) {
            return Reply.of(400, unusable.id(), unusable.error());
        }
        if (message instanceof Message.Request request && Protocol.isStateless(request)) {
            return stateless(request, post, caller);
        }
        String version = post.version;
        Object id = message instanceof Message.Request request ? request.id() : null;
        if (version != null && !Protocol.isKnown(version)) {
            return Reply.of(400, id, Protocol.unsupported(version));
        }
        boolean begins =
                message instanceof Message.Request request && request.method().equals("initialize");
        boolean statelessHeader = Protocol.STATELESS.equals(version);
        if (!begins && !statelessHeader && post.session != null && !sessions.use(post.session, owner(caller))) {
            return Reply.of(
                    404,
                    id,
                    RpcError.of(
                            RpcError.INVALID_REQUEST, "this session is over or of another client: initialize again"));
        }
        if (!(message instanceof Message.Request request)) {
            return Reply.accepted();
        }
        return statelessHeader && !begins
                ? Reply.of(400, id, Protocol.missingMeta())
                : inSession(request, begins, caller);
    }

    private Reply inSession(Message.Request request, boolean begins, McpCaller caller) {
        RpcAnswer answer = service.answer(request, caller);
        String session = begins && answer.error() == null ? sessions.open(owner(caller)) : null;
        return new Reply(200, answer.toJson(), session, answer.undelivered());
    }

    private Reply stateless(Message.Request request, Post post, McpCaller caller) {
        String mismatch = mismatch(request, post);
        if (mismatch != null) {
            return Reply.of(
                    400,
                    request.id(),
                    RpcError.of(
                            RpcError.HEADER_MISMATCH,
                            "Header mismatch: the header " + mismatch + " is missing, or differs from the body"));
        }
        RpcError problem = Protocol.metaProblem(request);
        if (problem != null) {
            return Reply.of(400, request.id(), problem);
        }
        RpcAnswer answer = service.answer(request, caller);
        RpcError error = answer.error();
        int status = error != null && error.code() == RpcError.METHOD_NOT_FOUND ? 404 : 200;
        return new Reply(status, answer.toJson(), null, answer.undelivered());
    }

    /** A proxy may decide by the headers, so they must say the same as the body. Null if they do. */
    private static @Nullable String mismatch(Message.Request request, Post post) {
        if (!Protocol.version(request).equals(post.version)) {
            return "MCP-Protocol-Version";
        }
        if (!request.method().equals(post.method)) {
            return "Mcp-Method";
        }
        boolean named = request.method().equals("tools/call");
        return named && !String.valueOf(request.params().get("name")).equals(decoded(post.name)) ? "Mcp-Name" : null;
    }

    private static @Nullable String decoded(@Nullable String name) {
        if (name == null || !name.startsWith(ENCODED) || !name.endsWith(ENCODED_END)) {
            return name;
        }
        int end = name.length() - ENCODED_END.length();
        try {
            return end < ENCODED.length()
                    ? null
                    : new String(
                            Base64.getDecoder().decode(name.substring(ENCODED.length(), end)), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Ends a session. False if there is no such session of this client. */
    public boolean end(String session, McpCaller caller) {
        return sessions.end(session, owner(caller));
    }

    private static String owner(McpCaller caller) {
        return caller.holder().value();
    }
}
