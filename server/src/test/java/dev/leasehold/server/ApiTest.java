package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every call of the API, with its errors, held against the OpenAPI document. Each test has a server of its own. */
@Execution(ExecutionMode.CONCURRENT)
class ApiTest {
    @Nested
    class Agents extends AgentApiTest {}

    @Nested
    class Leases extends LeaseApiTest {}

    @Nested
    class Fences extends FenceApiTest {}

    @Nested
    class Work extends WorkApiTest {}

    @Nested
    class JobsAndTargets extends JobApiTest {}

    @Nested
    class Explanations extends ExplainApiTest {}

    @Nested
    class Access extends AccessApiTest {}

    @Nested
    class Events extends EventApiTest {}

    @Nested
    class Listeners extends ListenerApiTest {}

    @Nested
    class Metrics extends MetricsApiTest {}

    @Nested
    class AgentTools extends McpApiTest {}

    @Nested
    class Errors extends ErrorApiTest {}

    /** Calls that touch no store cannot fail with it. */
    @AfterAll
    static void everyDocumentedAnswerWasSeen() {
        assertThat(ApiFixture.DOCUMENT.unseen()).containsExactlyInAnyOrder("GET /healthz 503", "GET /openapi.json 503");
    }
}
