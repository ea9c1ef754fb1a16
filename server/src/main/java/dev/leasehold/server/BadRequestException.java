package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;

/** A request that is refused before the store is asked. */
final class BadRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;

    BadRequestException(ProblemType type, String message) {
        super(message);
        this.type = type;
    }

    BadRequestException(String message) {
        this(ProblemType.BAD_REQUEST, message);
    }

    ProblemType type() {
        return type;
    }
}
