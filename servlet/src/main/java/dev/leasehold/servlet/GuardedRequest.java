package dev.leasehold.servlet;

import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.WrongFenceException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * The grant of a request that passed the {@link GrantFilter}, and the resource that it addresses.
 * Show both to the fence in the transaction that writes:
 * <pre>{@code
 * GuardedRequest guarded = GuardedRequest.of(request);
 * Admission answer = fence.admit(connection, guarded.grant(), guarded.resource());
 * if (answer instanceof Admission.Refused refused) {
 *     connection.rollback();
 *     guarded.refuse(response, refused);
 * }
 * }</pre>
 */
public record GuardedRequest(Grant grant, String resource) {
    /** The name of the request attribute. */
    public static final String ATTRIBUTE = "dev.leasehold.grant";

    /**
     * The grant of the request.
     *
     * @throws IllegalStateException if the request did not pass a filter, or has no grant
     */
    public static GuardedRequest of(ServletRequest request) {
        return find(request)
                .orElseThrow(() -> new IllegalStateException("the request has no grant: install a GrantFilter for its"
                        + " path, and do not make the grant optional for calls that write"));
    }

    /** The grant of the request; empty if the filter lets calls without a grant pass. */
    public static Optional<GuardedRequest> find(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof GuardedRequest guarded
                ? Optional.of(guarded)
                : Optional.empty();
    }

    /** Answers as the filter does to a stale call. Roll the transaction back first. */
    public void refuse(HttpServletResponse response, Admission.Refused refused) throws IOException {
        DoorProblem.of(refused, this).send(response);
    }

    /** Answers as the filter does to a grant of another lease or another store. */
    public void refuse(HttpServletResponse response, WrongFenceException e) throws IOException {
        DoorProblem.of(e).send(response);
    }

    void putInto(ServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** A request that is not guarded must not show what another filter admitted. */
    static void removeFrom(ServletRequest request) {
        request.removeAttribute(ATTRIBUTE);
    }
}
