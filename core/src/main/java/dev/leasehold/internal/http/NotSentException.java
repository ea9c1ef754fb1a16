package dev.leasehold.internal.http;

import java.io.IOException;

/** There was no connection to the server, so it has not got the call. */
public final class NotSentException extends IOException {
    private static final long serialVersionUID = 1L;

    NotSentException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
