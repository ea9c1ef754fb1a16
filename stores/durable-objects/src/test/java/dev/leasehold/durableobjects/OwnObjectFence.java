package dev.leasehold.durableobjects;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.http.GrantHeader;
import dev.leasehold.internal.JsonReader;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.WrongFenceException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;

/** The Durable Object in report.js, which writes under the fence of leasehold-fence.js, as a caller sees it. */
final class OwnObjectFence implements Fence<String> {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI object;

    OwnObjectFence(int port, String name) {
        this.object = URI.create("http://127.0.0.1:" + port + "/" + name);
    }

    @Override
    public Admission raise(Grant grant) {
        return step("raise", grant, "");
    }

    @Override
    public Admission rebind(Grant grant) {
        return step("rebind", grant, "");
    }

    @Override
    public Admission admit(Grant grant, String write) {
        return step("admit", grant, write);
    }

    @Override
    public Admission admitOnce(Grant grant, String write) {
        return step("once", grant, write);
    }

    Admission step(String step, Grant grant, String write) {
        HttpResponse<String> answer = call(step, grant.encode(), write);
        String refused = answer.headers().firstValue(GrantHeader.REFUSED).orElse("");
        return switch (refused) {
            case "" -> written(answer, grant);
            case "stale" ->
                detail(answer).contains("went back in time")
                        ? new Admission.StoreWentBack(grant, null)
                        : new Admission.Stale(grant, raised(answer));
            case "once-used" -> new Admission.OnceUsed(grant, grant.token());
            case "wrong-fence", "wrong-store" -> throw new WrongFenceException(detail(answer));
            case "no-fence" -> throw new TargetUnavailableException(detail(answer));
            default -> throw new IllegalArgumentException(detail(answer));
        };
    }

    private static Admission written(HttpResponse<String> answer, Grant grant) {
        if (answer.statusCode() != 200) {
            throw new TargetUnavailableException(answer.body());
        }
        return answer.body().equals("already written")
                ? new Admission.AlreadyWritten(grant.token())
                : new Admission.Admitted(grant.token());
    }

    private static FencingToken raised(HttpResponse<String> answer) {
        return FencingToken.parse(
                answer.headers().firstValue(GrantHeader.RAISED).orElseThrow());
    }

    private static String detail(HttpResponse<String> answer) {
        return String.valueOf(JsonReader.object(answer.body()).get("detail"));
    }

    Optional<String> read() {
        HttpResponse<String> answer = call("read", "", "");
        return answer.statusCode() == 404 ? Optional.empty() : Optional.of(answer.body());
    }

    /** How often the object was written. */
    String writes() {
        return call("read", "", "").headers().firstValue("Writes").orElseThrow();
    }

    /** Whether a slow write has begun. The Worker answers that: the object answers nobody meanwhile. */
    boolean isInsideItsWrite() {
        return call("began", "", "").body().equals("true");
    }

    void endSlowWrite() {
        call("end", "", "");
    }

    /** @param grant the header; none if it is empty */
    HttpResponse<String> call(String step, String grant, String write) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(object + "?step=" + step))
                .POST(HttpRequest.BodyPublishers.ofString(write));
        if (!grant.isEmpty()) {
            request.header(GrantHeader.NAME, grant);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new TargetUnavailableException("the object does not answer", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
