package dev.leasehold.durableobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.FenceContract;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.servers.WorkerdServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user's own object, which checks and writes in one transaction. */
@Requires(InstalledProgram.WORKERD)
class OwnObjectFenceContractTest extends FenceContract<String> {
    private static WorkerdServer worker;

    private final String object = "report-" + UUID.randomUUID();

    @BeforeAll
    static void startWorker() throws Exception {
        Map<String, String> modules = new LinkedHashMap<>();
        for (String name : List.of("report.js", "leasehold-fence.js")) {
            modules.put(name, WorkerdServer.module(name));
        }
        worker = WorkerdServer.start("OBJECTS", "Report", modules);
    }

    @AfterAll
    static void stopWorker() throws Exception {
        worker.close();
    }

    @Override
    protected Fence<String> openFence() {
        return own();
    }

    private OwnObjectFence own() {
        return new OwnObjectFence(worker.port(), object);
    }

    @Override
    protected String write(String content) {
        return content;
    }

    @Override
    protected Optional<String> read() {
        return own().read();
    }

    /** The zombie was judged, and waits for something else before it writes. */
    @Test
    void writeThatTakesLongIsOverBeforeItsSuccessorRaises() throws Exception {
        OwnObjectFence zombie = own();
        CompletableFuture<Admission> slow =
                CompletableFuture.supplyAsync(() -> zombie.step("slow", grant(1), "of one"));
        while (!own().isInsideItsWrite()) {
            assertThat(slow).isNotDone();
        }
        CompletableFuture<Admission> raise = CompletableFuture.supplyAsync(() -> own().raise(grant(2)));
        Thread.sleep(200);
        assertThat(slow).isNotDone();
        assertThat(raise).isNotDone();
        own().endSlowWrite();
        assertAdmitted(raise.join(), 2);
        assertContent("of one");
        assertAdmitted(slow.join(), 1);
        assertStale(zombie.admit(grant(1), "too late"), 2);
        assertContent("of one");
    }

    /** It could not be told from others, and would be written each time. The digest of this worker is the content. */
    @Test
    void oneTimeWriteWithoutADigestIsRefused() {
        fence.admit(grant(1), "of one");
        assertThatThrownBy(() -> fence.admitOnce(grant(1), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no digest");
        assertContent("of one");
    }

    @Test
    void writeThatFailsChangesNeitherDataNorFence() {
        fence.admit(grant(1), "of one");
        assertThatThrownBy(() -> own().step("failing", grant(2), "of two"))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("full");
        assertContent("of one");
        assertThat(own().writes()).as("the other part of a write").isEqualTo("1");
        assertAdmitted(fence.admit(grant(1), "of one again"), 1);
        assertThat(own().writes()).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 428, grant-required",
        "7, 400, bad-request",
        "lh1;7;attempt-of-7;store-of-the-contract;, 400, bad-request",
        "lh1;07;attempt-of-7;store-of-the-contract;nightly/report, 400, bad-request",
        "lh1;9223372036854775808;attempt-of-7;store-of-the-contract;nightly/report, 400, bad-request",
        "'lh1;7;attempt-of-7;store-of-the-contract;a, lh1;8;attempt-of-8;store-of-the-contract;a', 400, bad-request"
    })
    void callsWithoutAGrantWriteNothing(String header, int status, String type) {
        var answer = own().call("admit", header, "x");
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Leasehold-Refused")).contains(type);
        assertThat(answer.body()).contains("urn:leasehold:problem:" + type);
        assertThat(read()).isEmpty();
    }
}
