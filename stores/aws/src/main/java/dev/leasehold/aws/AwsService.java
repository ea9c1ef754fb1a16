package dev.leasehold.aws;

import dev.leasehold.internal.http.HttpConnection;
import dev.leasehold.internal.http.HttpDate;
import dev.leasehold.internal.http.HttpService;
import dev.leasehold.internal.http.RequestBytes;
import dev.leasehold.model.StoreUnavailableException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Signed calls to one service of AWS or a compatible one. Safe for use by many threads. */
final class AwsService implements AutoCloseable {
    private static final Duration MOST_SKEW = Duration.ofMinutes(4);

    private final HttpService service;
    private final AwsSigner signer;

    /**
     * @param query encoded, its parameters in order
     * @param header names in lower case
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Call(String method, String path, String query, Map<String, String> header, byte[] body) {}

    AwsService(HttpService service, AwsSigner signer) {
        this.service = service;
        this.signer = signer;
    }

    HttpConnection.Reply send(Call call, HttpService.Repeat repeat) {
        HttpConnection.Reply reply = service.call(() -> request(call), repeat);
        Instant date = HttpDate.parse(reply.header("date"));
        if (date == null) {
            return reply;
        }
        boolean skewed = signer.now().minus(MOST_SKEW).isAfter(date)
                || signer.now().plus(MOST_SKEW).isBefore(date);
        signer.learn(date);
        // A clock that is wrong, or that stood still while the machine slept. Such a request is refused unread.
        boolean refused = reply.status() == 403 || reply.status() == 400;
        return skewed && refused ? service.call(() -> request(call), repeat) : reply;
    }

    private byte[] request(Call call) {
        URI server = service.server();
        Map<String, String> header = signer.sign(
                call.method(), server.getRawAuthority(), call.path(), call.query(), call.header(), call.body());
        boolean bodiless = call.method().equals("GET") || call.method().equals("HEAD");
        String target = call.query().isEmpty() ? call.path() : call.path() + "?" + call.query();
        return RequestBytes.of(call.method(), server, target, header, bodiless ? null : call.body());
    }

    /** The time of the service at which it answered. */
    Instant date(HttpConnection.Reply reply) {
        Instant date = HttpDate.parse(reply.header("date"));
        if (date == null) {
            throw unavailable("sends no Date with its answers, which is the clock of the store");
        }
        return date;
    }

    StoreUnavailableException unavailable(String what) {
        return new StoreUnavailableException(service.name() + " " + what);
    }

    @Override
    public void close() {
        service.close();
    }
}
