package dev.leasehold.http;

import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import java.net.http.HttpResponse;

/**
 * What became of a call under a lease.
 *
 * @param <T> the body of an answer
 */
public sealed interface CallResult<T> {
    /** The service handled the call. Its answer may have any status. */
    record Answered<T>(HttpResponse<T> response) implements CallResult<T> {}

    /** The service refused the call because it has seen a newer grant. It changed nothing. */
    record Stale<T>(Grant shown, FencingToken raised) implements CallResult<T> {
        /** One sentence for people. */
        public String explanation() {
            return shown.token().isBelow(raised)
                    ? new Admission.Stale(shown, raised).explanation()
                    : new Admission.StoreWentBack(shown, null).explanation();
        }
    }

    /**
     * The service refused the call for another reason that concerns the grant, such as {@code
     * wrong-fence} or {@code fence-unavailable}. It changed nothing.
     *
     * @param reason the last part of the problem's type
     * @param problem the body of the answer, as the service sent it
     */
    record Refused<T>(int status, String reason, String problem) implements CallResult<T> {}
}
