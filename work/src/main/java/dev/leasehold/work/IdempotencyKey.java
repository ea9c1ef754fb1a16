package dev.leasehold.work;

import dev.leasehold.model.OperationId;
import java.net.http.HttpRequest;

/**
 * Sends an operation's id to an HTTP target that supports idempotency keys. A separate class,
 * because few users need HTTP.
 */
public final class IdempotencyKey {
    public static final String HEADER = "Idempotency-Key";

    private IdempotencyKey() {}

    /** Sets the id as the key of the request. Send the same id with every attempt. */
    public static HttpRequest.Builder on(HttpRequest.Builder request, OperationId operation) {
        return request.setHeader(HEADER, operation.value());
    }
}
