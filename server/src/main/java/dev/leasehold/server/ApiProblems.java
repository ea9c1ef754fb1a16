package dev.leasehold.server;

import dev.leasehold.client.message.ProblemAnswer;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The answers to calls that fail. */
final class ApiProblems {
    private static final Duration SOON = Duration.ofSeconds(1);

    private ApiProblems() {}

    static Answer of(ProblemType type, String detail) {
        return Answer.problem(ProblemAnswer.of(type, detail));
    }

    /** @param attempt what to repeat the call with, if it carried one */
    static Answer of(Throwable failure, @Nullable String attempt) {
        if (failure instanceof BadRequestException e) {
            Answer answer = of(e.type(), String.valueOf(e.getMessage()));
            return e.type() == ProblemType.TOO_MANY ? answer.retryAfter(SOON) : answer;
        }
        if (failure instanceof IllegalArgumentException e) {
            // The values of the model check themselves, with messages for people.
            return of(ProblemType.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
        if (failure instanceof StoreMovedException e) {
            return Answer.problem(ProblemAnswer.of(e));
        }
        if (failure instanceof StoreMissingException e) {
            return of(ProblemType.STORE_MISSING, String.valueOf(e.getMessage()));
        }
        if (failure instanceof StoreUnavailableException e) {
            return Answer.problem(ProblemAnswer.of(ProblemType.STORE_UNAVAILABLE, String.valueOf(e.getMessage()))
                            .withAttempt(attempt))
                    .retryAfter(SOON);
        }
        if (failure instanceof StoreCorruptException e) {
            return of(ProblemType.RECORD_DAMAGED, String.valueOf(e.getMessage()));
        }
        return of(ProblemType.INTERNAL, "the server could not do this because of a defect; its log says more");
    }

    static Answer overloaded() {
        return of(ProblemType.OVERLOADED, "too many calls wait for the store; nothing was changed, try again")
                .retryAfter(SOON);
    }

    /** Nothing was granted: a waiting call is only a request. */
    static Answer stopping(@Nullable String attempt) {
        return Answer.problem(ProblemAnswer.of(
                                ProblemType.STOPPING,
                                "the server is being stopped; repeat the call at another one, or a little later")
                        .withAttempt(attempt))
                .retryAfter(SOON);
    }
}
