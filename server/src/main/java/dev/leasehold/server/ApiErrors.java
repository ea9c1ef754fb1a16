package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** The form of errors that Jetty finds before a call is known. */
final class ApiErrors extends ErrorHandler {
    private final ServerMetrics metrics;

    ApiErrors(ServerMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        new Reply(request, response, callback, metrics).send(answer(response.getStatus()));
        return true;
    }

    private static Answer answer(int status) {
        return switch (status) {
            case 404 -> ApiProblems.of(ProblemType.NOT_FOUND, "there is no such call");
            case 408 -> ApiProblems.of(ProblemType.TOO_SLOW, "the request did not arrive in time");
            case 413 -> ApiProblems.of(ProblemType.TOO_LARGE, "the body is too large");
            case 414 -> ApiProblems.of(ProblemType.URI_TOO_LONG, "the address of the request is too long");
            case 503 -> ApiProblems.stopping(null);
            case 431 -> ApiProblems.of(ProblemType.HEADERS_TOO_LARGE, "the headers of the request are too large");
            default ->
                // 501 and 505: a method or a version that does not exist.
                status < 500 || status == 501 || status == 505
                        ? ApiProblems.of(ProblemType.BAD_REQUEST, "this is not a correct HTTP request")
                        : ApiProblems.of(ProblemType.INTERNAL, "the server could not do this because of a defect");
        };
    }
}
