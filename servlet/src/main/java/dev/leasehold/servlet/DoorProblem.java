package dev.leasehold.servlet;

import dev.leasehold.http.GrantHeader;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.WrongFenceException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a call that is refused: a problem of RFC 9457 with the types of the Leasehold server,
 * written by hand, because a service should not need a JSON library for it.
 */
final class DoorProblem {
    private static final String TYPE = "urn:leasehold:problem:";

    private final int status;
    private final String reason;
    private final String title;
    private final String detail;
    private final @Nullable FencingToken raised;
    private final @Nullable GuardedRequest refused;

    private DoorProblem(int status, String reason, String title, String detail) {
        this(status, reason, title, detail, null, null);
    }

    private DoorProblem(
            int status,
            String reason,
            String title,
            String detail,
            @Nullable FencingToken raised,
            @Nullable GuardedRequest refused) {
        this.status = status;
        this.reason = reason;
        this.title = title;
        this.detail = detail;
        this.raised = raised;
        this.refused = refused;
    }

    static DoorProblem of(Admission.Refused answer, GuardedRequest call) {
        FencingToken raised = answer instanceof Admission.Stale stale
                ? stale.raised()
                : call.grant().token();
        return new DoorProblem(412, "stale", "The grant is not current", answer.explanation(), raised, call);
    }

    static DoorProblem of(WrongFenceException e) {
        String detail = String.valueOf(e.getMessage());
        return e.otherStore()
                ? new DoorProblem(412, "wrong-store", "The grant is of another store", detail)
                : new DoorProblem(409, "wrong-fence", "The resource is guarded by another lease", detail);
    }

    static DoorProblem missing() {
        return new DoorProblem(
                428,
                "grant-required",
                "The call needs a grant",
                "this call is made under a lease: send the grant in the header " + GrantHeader.NAME);
    }

    static DoorProblem malformed(String complaint) {
        return new DoorProblem(400, "bad-request", "The request is malformed", GrantHeader.NAME + ": " + complaint);
    }

    /** Says nothing of the database: its messages name hosts and users. */
    static DoorProblem unavailable() {
        return new DoorProblem(
                503,
                "fence-unavailable",
                "The fence did not answer",
                "whether the grant is current could not be found out, so the call was not made; try again later");
    }

    void send(HttpServletResponse response) throws IOException {
        byte[] body = json().getBytes(StandardCharsets.UTF_8);
        response.resetBuffer();
        response.setStatus(status);
        response.setHeader(GrantHeader.REFUSED, reason);
        if (raised != null) {
            response.setHeader(GrantHeader.RAISED, raised.toString());
        }
        if (status == 503) {
            response.setHeader("Retry-After", "1");
        }
        response.setHeader("Cache-Control", "no-store");
        response.setContentType("application/problem+json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private String json() {
        StringBuilder json = new StringBuilder("{\"type\":").append(quoted(TYPE + reason));
        json.append(",\"title\":").append(quoted(title));
        json.append(",\"status\":").append(status);
        json.append(",\"detail\":").append(quoted(detail));
        if (refused != null) {
            json.append(",\"fence\":{\"resource\":").append(quoted(refused.resource()));
            json.append(",\"name\":").append(quoted(refused.grant().name().value()));
            json.append(",\"raised\":").append(raised).append('}');
        }
        return json.append('}').toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c >= 0x20 && c < 0x7f) {
                quoted.append(c);
            } else {
                quoted.append(String.format("\\u%04x", (int) c));
            }
        }
        return quoted.append('"').toString();
    }
}
