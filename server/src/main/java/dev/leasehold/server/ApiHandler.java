package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/** Finds the call of a request, reads its body and passes it to a thread that may wait for the store. */
final class ApiHandler extends Handler.Abstract.NonBlocking {
    private static final System.Logger LOG = System.getLogger("dev.leasehold");
    private static final Set<String> OWN_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final Duration SLOW = Duration.ofSeconds(1);
    private static final long MOST_DISCARDED = 8 * 1024 * 1024;

    private final Routes routes;
    private final StoreThreads threads;
    private final ServerClock clock;
    private final Authenticator authenticator;
    private final @Nullable RateLimits limits;
    private final boolean local;
    private final ServerMetrics metrics;
    private final ScrapeAccess scrapes;

    /** @param local whether only this host can reach the server */
    ApiHandler(
            Routes routes,
            StoreThreads threads,
            ServerClock clock,
            Authenticator authenticator,
            @Nullable RateLimits limits,
            boolean local,
            ServerMetrics metrics,
            ScrapeAccess scrapes) {
        this.routes = routes;
        this.threads = threads;
        this.clock = clock;
        this.authenticator = authenticator;
        this.limits = limits;
        this.local = local;
        this.metrics = metrics;
        this.scrapes = scrapes;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Reply reply = new Reply(request, response, callback, metrics);
        try {
            route(request, response, reply);
        } catch (BadRequestException e) {
            refuse(request, response, reply, e);
        }
        return true;
    }

    private void route(Request request, Response response, Reply reply) {
        // As it was sent: no other way to write a path leads to a call.
        String path = request.getHttpURI().getPath();
        Routes.Route route = routes.find(request.getMethod(), path);
        // A browser asks for all files of the page at once, and to send one costs no more than to refuse it.
        if (route == null || route.waits() != Routes.Waits.FOR_NOTHING) {
            requireAllowance(Request.getRemoteAddr(request));
        }
        if (route == null) {
            if (HttpMethod.CONNECT.is(request.getMethod())) {
                // Jetty leaves the connection of a refused CONNECT open.
                response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
            }
            Set<String> methods = routes.methods(path);
            if (methods.isEmpty()) {
                throw new BadRequestException(ProblemType.NOT_FOUND, "there is no such call; see /openapi.json");
            }
            String allowed = String.join(", ", methods);
            response.getHeaders().put(HttpHeader.ALLOW, allowed);
            throw new BadRequestException(ProblemType.METHOD_NOT_ALLOWED, "this call takes " + allowed);
        }
        // The files of the page are one call to those who count.
        reply.answers(route.waits() == Routes.Waits.FOR_NOTHING ? "/" : path);
        if (local && route.role() != null && !request.getHeaders().contains(HttpHeader.AUTHORIZATION)) {
            requireOwnHost(request);
        }
        Fields parameters = parameters(request);
        if (route.maxBody() == 0) {
            submit(route, new ApiRequest(parameters, new byte[0]), reply);
        } else {
            requireJson(request);
            if (request.getLength() > route.maxBody()) {
                throw tooLarge(route.maxBody());
            }
            Content.Source.asByteArrayAsync(
                    request,
                    route.maxBody(),
                    Promise.Invocable.from(
                            InvocationType.NON_BLOCKING,
                            body -> submit(route, new ApiRequest(parameters, body), reply),
                            failure -> reply.send(unread(failure, route.maxBody()))));
        }
    }

    /**
     * A page in a browser on this host can send requests here under a name of its own that leads to
     * this host. Its browser then names that host.
     */
    private static void requireOwnHost(Request request) {
        String host = Request.getServerName(request);
        if (host == null || !OWN_HOSTS.contains(host.toLowerCase(Locale.ROOT))) {
            throw new BadRequestException(
                    ProblemType.WRONG_HOST, "this server answers only requests for localhost, 127.0.0.1 or [::1]");
        }
    }

    private void requireAllowance(String client) {
        if (limits != null && !limits.allows(client, System.nanoTime())) {
            throw new BadRequestException(
                    ProblemType.TOO_MANY, "too many requests in a second; nothing was changed, try again later");
        }
    }

    private static Fields parameters(Request request) {
        try {
            return Request.extractQueryParameters(request);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException("the parameters of the address are malformed");
        }
    }

    /** A form of a page in a browser cannot declare JSON without asking first. */
    private static void requireJson(Request request) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        String media = type == null ? "" : type.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
        if (!media.equals("application/json")) {
            throw new BadRequestException(
                    ProblemType.NOT_JSON, "send the body as JSON, with the header 'Content-Type: application/json'");
        }
    }

    /**
     * Refuses a call whose body has not been read. A client that is still sending when the
     * connection is closed does not see the answer, and one that reuses the connection loses its
     * next call. So a body that is not much too large is read to its end first.
     */
    private static void refuse(Request request, Response response, Reply reply, BadRequestException why) {
        Answer answer = ApiProblems.of(why, null);
        boolean chunked = request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        if (chunked || request.getLength() > MOST_DISCARDED) {
            response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
            reply.send(answer);
        } else {
            Content.Source.consumeAll(request, Callback.from(() -> reply.send(answer)));
        }
    }

    private static BadRequestException tooLarge(int maxBody) {
        return new BadRequestException(
                ProblemType.TOO_LARGE, "the body is larger than the " + maxBody + " bytes that this call takes");
    }

    private static Answer unread(Throwable failure, int maxBody) {
        if (failure instanceof TimeoutException) {
            return ApiProblems.of(ProblemType.TOO_SLOW, "the body did not arrive in time");
        }
        return failure instanceof IllegalStateException
                ? ApiProblems.of(tooLarge(maxBody), null)
                : ApiProblems.of(ProblemType.BAD_REQUEST, "the body did not arrive completely");
    }

    private void submit(Routes.Route route, ApiRequest request, Reply reply) {
        // From here the client may be silent: the call may take longer than a connection may be idle.
        reply.request().addIdleTimeoutListener(timeout -> false);
        if (route.waits() == Routes.Waits.FOR_NOTHING) {
            serve(route, request, reply);
            return;
        }
        try {
            (isBrief(route) ? scrapes : threads).execute(() -> serve(route, request, reply));
        } catch (RejectedExecutionException e) {
            reply.send(ApiProblems.overloaded());
        }
    }

    private static boolean isBrief(Routes.Route route) {
        return route.waits() == Routes.Waits.FOR_THE_STORE_BRIEFLY;
    }

    @SuppressWarnings("CatchingUnchecked")
    private void serve(Routes.Route route, ApiRequest request, Reply reply) {
        try {
            Role role = route.role();
            ApiRequest known = request;
            if (role != null) {
                String header = reply.request().getHeaders().get(HttpHeader.AUTHORIZATION);
                Caller caller = isBrief(route) ? scrapes.caller(header) : authenticator.caller(header);
                if (caller.owner() != null) {
                    requireAllowance("key of " + caller.owner());
                }
                caller.require(role);
                known = request.by(caller, () -> authenticator.caller(header).require(role));
            }
            route.call().serve(known.with(route.parameters()), reply);
        } catch (RuntimeException | Error e) {
            Answer answer = ApiProblems.of(e, null);
            if (answer.status() == ProblemType.INTERNAL.status()) {
                LOG.log(System.Logger.Level.ERROR, "a call failed", e);
            }
            if (answer.status() == ProblemType.UNAUTHORIZED.status()) {
                sendSlowly(reply, answer);
            } else {
                reply.send(answer);
            }
        }
    }

    /** Nobody shall try many keys. */
    private void sendSlowly(Reply reply, Answer answer) {
        try {
            Future<?> unused = clock.after(SLOW, () -> reply.send(answer));
        } catch (RejectedExecutionException e) {
            reply.send(answer);
        }
    }
}
