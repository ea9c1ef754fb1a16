package dev.leasehold.http;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.model.Grant;
import java.net.http.HttpRequest;

/**
 * The header {@code Leasehold-Grant}, which shows the grant of the caller to a service.
 *
 * <p>Its value is the text of {@link Grant#encode()}, the same that {@code LEASEHOLD_GRANT} contains.
 * That text has only letters, digits and {@code ._:/@-;}, all of which are allowed in a header, and
 * no comma, so two headers that a proxy joins into one are malformed and not one of the two. A
 * header carries a whole grant: a token alone does not show which store issued it.
 *
 * <p>A grant is a proof for fences and no secret. It does not replace the authentication of callers.
 */
public final class GrantHeader {
    public static final String NAME = "Leasehold-Grant";

    /** The header of a refusal; its value is the last part of the problem's type, such as {@code stale}. */
    public static final String REFUSED = "Leasehold-Refused";

    /** The header of a stale refusal that has the highest token the service has seen. */
    public static final String RAISED = "Leasehold-Raised";

    /** No grant is longer: the parts of a grant have limits of their own. */
    private static final int MAX_LENGTH = 400;

    private GrantHeader() {}

    /**
     * Shows the grant of a lease.
     *
     * @throws LeaseLostException if the lease is no longer trusted: a late call is not even sent
     */
    public static HttpRequest.Builder on(HttpRequest.Builder request, Lease lease) {
        lease.requireTrusted();
        return on(request, lease.grant());
    }

    /** Shows a grant that this process got from another one, which renews it. */
    public static HttpRequest.Builder on(HttpRequest.Builder request, Grant grant) {
        return request.setHeader(NAME, requireWhole(grant).encode());
    }

    /**
     * Reads the value of the header.
     *
     * @throws IllegalArgumentException if this is not exactly the text of a whole grant; the message
     *     can be shown to the caller
     */
    public static Grant parse(String value) {
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "grant has " + value.length() + " characters: no grant has more than " + MAX_LENGTH);
        }
        Grant grant = requireWhole(Grant.decode(value));
        // A number can be written in several ways. One grant has one text.
        if (!grant.encode().equals(value)) {
            throw new IllegalArgumentException("grant is not written as it was issued. Pass it on unchanged");
        }
        return grant;
    }

    private static Grant requireWhole(Grant grant) {
        if (grant.attempt() == null || grant.store() == null) {
            throw new IllegalArgumentException(
                    "grant names no attempt or no store: a service takes only whole grants, as the store issued them");
        }
        return grant;
    }
}
