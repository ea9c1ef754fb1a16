package dev.leasehold.client.message;

import java.util.Locale;

/** The problems that a server reports. Their URIs do not change. */
public enum ProblemType {
    BAD_REQUEST(400, "The request is malformed"),
    UNAUTHORIZED(401, "The request has no valid key"),
    FORBIDDEN(403, "The key is not for this"),
    WRONG_ORIGIN(403, "The request comes from a page of another site"),
    NOT_FOUND(404, "There is no such call"),
    NO_SUCH_LEASE(404, "There is no such lease"),
    NO_SUCH_FENCE(404, "There is no such fence"),
    NO_SUCH_WORK(404, "There is no such work item"),
    NO_SUCH_JOB(404, "There is no such job"),
    METHOD_NOT_ALLOWED(405, "The call exists, but not with this method"),
    NOT_ACCEPTABLE(406, "The client does not take JSON"),
    TOO_SLOW(408, "The request did not arrive in time"),
    JOB_PAUSED(409, "The job is paused"),
    BUSY(409, "The lease is held"),
    SPENT(409, "The grant of this attempt is over"),
    RUNNING_ELSEWHERE(409, "The key is being worked on under another lease"),
    OUTCOME_UNKNOWN(409, "Whether the call was made is unknown"),
    WRONG_FENCE(409, "The resource is guarded by another lease"),
    OWNER_CHANGED(409, "The lease has another owner than the caller saw"),
    STALE(412, "The grant is not current"),
    WRONG_STORE(412, "The grant is of another store"),
    WRONG_HOST(421, "The request is for another host"),
    TOO_LARGE(413, "The request is too large"),
    URI_TOO_LONG(414, "The address of the request is too long"),
    NOT_JSON(415, "The body is not declared as JSON"),
    OTHER_INPUT(422, "The key is known with another input"),
    TOO_MANY(429, "Too many requests"),
    HEADERS_TOO_LARGE(431, "The headers of the request are too large"),
    STORE_UNAVAILABLE(503, "The store did not answer"),
    STORE_MISSING(503, "There is no store"),
    STORE_MOVED(503, "The store was moved"),
    RECORD_DAMAGED(503, "A record of the store is damaged"),
    OVERLOADED(503, "The server has too much to do"),
    STOPPING(503, "The server is stopping"),
    INTERNAL(500, "The server failed");

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** The value of {@code type}. */
    public String uri() {
        return "urn:leasehold:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
