package dev.leasehold.work;

import dev.leasehold.model.OperationId;
import java.net.http.HttpRequest;

/** How an operation's id is sent to a target that knows idempotency keys. In a class of its own: few need HTTP. */
public final class IdempotencyKey {
    public static final String HEADER = "Idempotency-Key";

    private IdempotencyKey() {}

    /** The request with the id as its key; the same id must be sent with every try. */
    public static HttpRequest.Builder on(HttpRequest.Builder request, OperationId operation) {
        return request.setHeader(HEADER, operation.value());
    }
}
