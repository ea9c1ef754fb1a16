package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;

/** The call of Prometheus. */
final class MetricsCalls {
    private final ServerMetrics metrics;

    MetricsCalls(ServerMetrics metrics) {
        this.metrics = metrics;
    }

    void addTo(Routes routes) {
        routes.duringOutage("/metrics", Call.answering(this::scrape));
    }

    private Answer scrape(ApiRequest request) {
        String prefix = request.caller().prefix();
        if (!prefix.isEmpty()) {
            throw new BadRequestException(
                    ProblemType.FORBIDDEN,
                    "the key is for names that start with " + prefix
                            + ", and these numbers are about all names; use a key without a prefix");
        }
        return Answer.metrics(metrics.scrape());
    }
}
