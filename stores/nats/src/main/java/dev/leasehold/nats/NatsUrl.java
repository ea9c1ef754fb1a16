package dev.leasehold.nats;

import dev.leasehold.internal.ClusterUrl;
import java.time.Duration;

/** The URL of a store in NATS. Its path is the bucket. */
final class NatsUrl {
    private static final int MAX_BUCKET_LENGTH = 64;

    private static final ClusterUrl.Form FORM =
            new ClusterUrl.Form("NATS", "nats", 4222, Duration.ofSeconds(3), "/bucket[?timeout=3s]");

    private NatsUrl() {}

    static ClusterUrl parse(String text) {
        ClusterUrl url = ClusterUrl.parse(FORM, text);
        url.requirePath("the bucket", MAX_BUCKET_LENGTH, "_-");
        return url;
    }
}
