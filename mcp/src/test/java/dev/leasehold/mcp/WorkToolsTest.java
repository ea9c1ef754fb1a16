package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.store.MemoryLeaseStore;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkToolsTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private McpService service;
    private Agent agent;

    @BeforeEach
    void start() throws IOException {
        service = McpService.over(store).build();
        agent = new Agent(service);
    }

    @AfterEach
    void stop() {
        service.close();
        store.close();
    }

    /** A supervisor cancels the lease, so that the next agent can acquire it. */
    private String successor(String name) {
        store.intervene(Intervention.cancel(
                LeaseName.of(name), AttemptId.of("cancel-01"), Holder.of("supervisor"), Note.of("reassigned")));
        return agent.acquire(name);
    }

    private Map<String, Object> once(String handle, String action) {
        return agent.call("once", "handle", handle, "action", action, "id", "mail-7");
    }

    @Test
    void aPieceOfWorkIsCompletedOnce() {
        String handle = agent.acquire("billing");
        assertThat(agent.call("work_claim", "handle", handle, "key", "2026-11")).containsEntry("outcome", "claimed");
        assertThat(agent.call("work_complete", "handle", handle, "key", "2026-11", "result", "42 invoices"))
                .containsEntry("outcome", "completed");
        assertThat(agent.call("work_complete", "handle", handle, "key", "2026-11", "result", "42 invoices"))
                .containsEntry("outcome", "already_completed");
        Map<String, Object> done = agent.call("work_claim", "handle", handle, "key", "2026-11");
        assertThat(done).containsEntry("outcome", "done");
        assertThat(done.toString()).contains("42 invoices");
    }

    @Test
    void aSuccessorGoesOnFromTheCheckpoint() {
        String first = agent.acquire("billing");
        agent.call("work_claim", "handle", first, "key", "k");
        assertThat(agent.call("work_checkpoint", "handle", first, "key", "k", "checkpoint", "row 700"))
                .containsEntry("outcome", "recorded");
        String second = successor("billing");
        Map<String, Object> claimed = agent.call("work_claim", "handle", second, "key", "k");
        assertThat(claimed).containsEntry("outcome", "claimed");
        assertThat(claimed.toString()).contains("row 700");
        for (Map<String, Object> stale : java.util.List.of(
                agent.call("work_checkpoint", "handle", first, "key", "k", "checkpoint", "row 1"),
                agent.call("work_complete", "handle", first, "key", "k"))) {
            assertThat(stale).containsEntry("outcome", "stale");
        }
        assertThat(agent.call("work_complete", "handle", second, "key", "k")).containsEntry("outcome", "completed");
    }

    @Test
    void anotherInputAndAMissingClaimAreToldApart() {
        String handle = agent.acquire("billing");
        agent.call("work_claim", "handle", handle, "key", "k", "fingerprint", "a");
        assertThat(agent.call("work_claim", "handle", handle, "key", "k", "fingerprint", "b"))
                .containsEntry("outcome", "other_input");
        assertThat(agent.call("work_complete", "handle", handle, "key", "never"))
                .containsEntry("outcome", "stale");
        assertThat(agent.call("work_claim", "handle", handle, "key", "a b")).containsEntry("outcome", "invalid");
        assertThat(agent.call("work_complete", "handle", handle, "key", "k", "result", "\u00e4".repeat(8000)))
                .containsEntry("outcome", "invalid");
    }

    @Test
    void somethingOutsideHappensOnce() {
        String handle = agent.acquire("mails");
        assertThat(once(handle, "ask")).containsEntry("outcome", "none");
        assertThat(once(handle, "begin")).containsEntry("outcome", "begin");
        assertThat(agent.call("once", "handle", handle, "action", "made", "id", "mail-7", "note", "250 queued"))
                .containsEntry("outcome", "made");
        assertThat(once(handle, "begin")).containsEntry("outcome", "made").containsEntry("note", "250 queued");
        assertThat(once(handle, "not_made")).containsEntry("outcome", "made");
    }

    /** Nobody knows whether it happened, so nobody does it again. */
    @Test
    void anUnknownOutcomeIsNeverRepeated() {
        String first = agent.acquire("mails");
        assertThat(once(first, "begin")).containsEntry("outcome", "begin");
        assertThat(once(first, "begin")).containsEntry("outcome", "unknown");
        String second = successor("mails");
        assertThat(once(second, "begin")).containsEntry("outcome", "unknown");
        assertThat(once(second, "ask")).containsEntry("outcome", "unknown");
        assertThat(once(second, "made")).containsEntry("outcome", "unknown");
        assertThat(once(second, "not_made")).containsEntry("outcome", "unknown");
        assertThat((String) once(second, "begin").get("message")).contains("Do not do it", "leasehold settle");
        assertThat(agent.call("explain", "name", "mails").toString()).contains("mail-7");
    }

    @Test
    void whatCertainlyDidNotHappenMayBeTriedAgain() {
        String handle = agent.acquire("mails");
        once(handle, "begin");
        assertThat(once(handle, "not_made")).containsEntry("outcome", "not_made");
        assertThat(once(handle, "begin")).containsEntry("outcome", "begin");
        assertThat(agent.call("once", "handle", handle, "action", "ask", "id", "mail-7", "note", "x"))
                .containsEntry("outcome", "invalid");
        assertThat(agent.call("once", "handle", handle, "action", "do", "id", "mail-7"))
                .containsEntry("outcome", "invalid");
    }
}
