package dev.leasehold.servlet;

import dev.leasehold.fence.Fence;
import dev.leasehold.http.GrantHeader;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.WrongFenceException;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Refuses calls whose header {@code Leasehold-Grant} is stale, missing or malformed. Install it after
 * the filter that authenticates callers: whoever passes it can raise the fence.
 *
 * <p>With {@link #raising} the filter raises the fence of the resource before the handler runs:
 * <pre>{@code
 * JdbcFence fence = JdbcFence.prepare(pool);
 * GrantFilter door = GrantFilter.raising(resource -> fence.in(pool, resource));
 * }</pre>
 * <p>A window remains between the door and the write. To close it, the handler asks the fence again in
 * the transaction that writes, with the grant of {@link GuardedRequest#of}. A handler that does so for
 * every write can do without the check at the door: {@link #reading}.
 *
 * <p>The filter fails closed: a fence that does not answer means that the call is refused with 503.
 * Immutable; every method returns another filter.
 */
public final class GrantFilter implements Filter {
    private final @Nullable Function<String, ? extends Fence<?>> fences;
    private final Function<HttpServletRequest, String> resources;
    private final Predicate<HttpServletRequest> guarded;
    private final boolean optional;

    private GrantFilter(
            @Nullable Function<String, ? extends Fence<?>> fences,
            Function<HttpServletRequest, String> resources,
            Predicate<HttpServletRequest> guarded,
            boolean optional) {
        this.fences = fences;
        this.resources = resources;
        this.guarded = guarded;
        this.optional = optional;
    }

    /**
     * A filter that raises the fence of each request's resource, and refuses the request if the fence
     * has seen a newer grant.
     *
     * @param fences the fence of a resource. It is asked on the thread of the request, so it should
     *     answer or fail within a few seconds: set the timeouts of the pool and the driver
     */
    public static GrantFilter raising(Function<String, ? extends Fence<?>> fences) {
        return new GrantFilter(fences, GrantFilter::nameOfTheLease, request -> true, false);
    }

    /**
     * A filter that only reads the grant. It refuses no stale call: every handler must show the grant
     * to a fence in its own transaction.
     */
    public static GrantFilter reading() {
        return new GrantFilter(null, GrantFilter::nameOfTheLease, request -> true, false);
    }

    /**
     * The same filter for resources that are named otherwise than the lease. A resource belongs to one
     * lease; many resources may belong to the same one.
     *
     * @param resource which resource a request addresses. Null or an {@code
     *     IllegalArgumentException} means that there is none, and is answered with 400
     */
    public GrantFilter resource(Function<HttpServletRequest, String> resource) {
        return new GrantFilter(fences, resource, guarded, optional);
    }

    /** The same filter for some requests, such as those that write. All others pass as they are. */
    public GrantFilter only(Predicate<HttpServletRequest> selected) {
        return new GrantFilter(fences, resources, selected, optional);
    }

    /**
     * The same filter, which lets calls without a grant pass. Nothing protects the resource from such
     * calls; this is for the time until all callers send a grant.
     */
    public GrantFilter optional() {
        return new GrantFilter(fences, resources, guarded, true);
    }

    private static String nameOfTheLease(HttpServletRequest request) {
        return grantOf(request).name().value();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest call) || !(response instanceof HttpServletResponse answer)) {
            throw new ServletException("the filter of grants is for HTTP only");
        }
        if (!guarded.test(call)
                || (optional && !call.getHeaders(GrantHeader.NAME).hasMoreElements())) {
            GuardedRequest.removeFrom(call);
            chain.doFilter(request, response);
            return;
        }
        DoorProblem problem = check(call);
        if (problem == null) {
            chain.doFilter(request, response);
        } else {
            problem.send(answer);
        }
    }

    /** Null if the request may pass. */
    private @Nullable DoorProblem check(HttpServletRequest call) {
        GuardedRequest admitted;
        try {
            if (!call.getHeaders(GrantHeader.NAME).hasMoreElements()) {
                return DoorProblem.missing();
            }
            admitted = new GuardedRequest(grantOf(call), resourceOf(call));
            if (fences != null) {
                Admission answer = raise(call, admitted, fences);
                if (answer == null) {
                    return DoorProblem.unavailable();
                }
                if (answer instanceof Admission.Refused refused) {
                    return DoorProblem.of(refused, admitted);
                }
            }
        } catch (WrongFenceException e) {
            return DoorProblem.of(e);
        } catch (IllegalArgumentException e) {
            return DoorProblem.malformed(String.valueOf(e.getMessage()));
        }
        admitted.putInto(call);
        return null;
    }

    /** Null if the fence could not be asked. */
    @SuppressWarnings("CatchingUnchecked")
    private static @Nullable Admission raise(
            HttpServletRequest call, GuardedRequest admitted, Function<String, ? extends Fence<?>> fences) {
        try {
            return fences.apply(admitted.resource()).raise(admitted.grant());
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (RuntimeException e) {
            // Pools and drivers have exceptions of their own. None of them admits anybody.
            call.getServletContext().log("a call was refused, because the fence of its resource could not be asked", e);
            return null;
        }
    }

    /** A user's function may return null, for a parameter that the caller left out. */
    private String resourceOf(HttpServletRequest call) {
        String resource = resources.apply(call);
        if (resource == null) {
            throw new IllegalArgumentException("the request names no resource");
        }
        return resource;
    }

    /** @throws IllegalArgumentException if the header is given twice, or is not a whole grant */
    private static Grant grantOf(HttpServletRequest request) {
        Enumeration<String> values = request.getHeaders(GrantHeader.NAME);
        String value = values.nextElement();
        if (values.hasMoreElements()) {
            throw new IllegalArgumentException("grant is given twice");
        }
        return GrantHeader.parse(value);
    }
}
