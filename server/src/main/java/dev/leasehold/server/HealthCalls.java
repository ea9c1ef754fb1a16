package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The calls about the server itself. */
final class HealthCalls {
    /** A name that nobody holds: asking for it shows that the store answers. */
    private static final LeaseName ANY = LeaseName.of("leasehold-ready");

    private final LeaseStore store;
    private final WriteProbe probe;
    private final String openApi = resource("openapi.json");
    private volatile boolean stopping;

    HealthCalls(LeaseStore store) {
        this.store = store;
        this.probe = new WriteProbe(store.register());
    }

    void addTo(Routes routes) {
        routes.open("/healthz", Call.answering(request -> Answer.json("{\"status\":\"alive\"}")))
                .open("/readyz", Call.answering(request -> ready()))
                .open("/openapi.json", Call.answering(request -> Answer.json(openApi)));
    }

    /** From now on load balancers send no new clients here. */
    void stop() {
        stopping = true;
    }

    private Answer ready() {
        if (stopping) {
            return ApiProblems.of(ProblemType.STOPPING, "the server is being stopped");
        }
        store.inspect(ANY);
        probe.run();
        return Answer.json("{\"status\":\"ready\"}");
    }

    private static String resource(String name) {
        try (InputStream in = HealthCalls.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
