package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.store.MemoryLeaseStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseToolsTest {
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

    private void takeOver(String name, String reason) {
        store.intervene(Intervention.takeover(
                LeaseName.of(name),
                AttemptId.of("takeover-1"),
                Holder.of("supervisor"),
                Duration.ofMinutes(1),
                Note.of(reason)));
    }

    @Test
    void busyNamesTheHolderAndWhatToDo() {
        agent.call("lease_acquire", "name", "job", "holder", "claude/7", "ttl_seconds", 60L);
        Map<String, Object> busy = agent.call("lease_acquire", "name", "job");
        assertThat(busy)
                .containsEntry("outcome", "busy")
                .containsEntry("isError", false)
                .containsEntry("holder", "claude/7")
                .containsEntry("token", 1L)
                .containsKeys("since", "held_for_ms", "expires_in_ms", "retry_after_ms");
        assertThat((String) busy.get("message")).contains("claude/7", "since", "Do not begin", "later");
    }

    @Test
    void aLeaseIsRenewedAndReleased() {
        String handle = agent.acquire("job");
        assertThat(agent.call("lease_renew", "handle", handle, "ttl_seconds", 1000L))
                .containsEntry("outcome", "renewed");
        assertThat(agent.call("lease_status", "handle", handle)).containsEntry("outcome", "current");
        assertThat(agent.call("lease_release", "handle", handle)).containsEntry("outcome", "released");
        assertThat(agent.call("lease_release", "handle", handle)).containsEntry("outcome", "already_released");
        assertThat(agent.call("lease_renew", "handle", handle))
                .containsEntry("outcome", "stale")
                .containsEntry("why", "released")
                .containsEntry("isError", false);
        assertThat(agent.acquire("job")).isNotEqualTo(handle);
    }

    /** The reason of a supervisor reaches the agent that it stopped, at every tool. */
    @Test
    void whoWasReplacedLearnsWhy() {
        String handle = agent.acquire("job");
        takeOver("job", "reassigned to alice");
        for (Map<String, Object> stale : List.of(
                agent.call("lease_renew", "handle", handle),
                agent.call("lease_release", "handle", handle),
                agent.call("lease_status", "handle", handle),
                agent.call("progress", "handle", handle, "note", "n"),
                agent.call("work_claim", "handle", handle, "key", "k"),
                agent.call("once", "handle", handle, "id", "mail", "action", "begin"))) {
            assertThat(stale).containsEntry("outcome", "stale");
            assertThat((String) stale.get("message")).contains("reassigned to alice", "supervisor", "Stop");
        }
        assertThat(agent.call("lease_status", "name", "job")).containsEntry("holder", "supervisor");
        assertThat(agent.call("explain", "name", "job").toString()).contains("reassigned to alice", "agent-1");
    }

    @Test
    void aRepeatedAttemptGetsTheSameLease() {
        Map<String, Object> first = agent.call("lease_acquire", "name", "job", "attempt", "attempt-0001");
        Map<String, Object> again = agent.call("lease_acquire", "name", "job", "attempt", "attempt-0001");
        assertThat(again.get("handle")).isEqualTo(first.get("handle"));
        agent.call("lease_release", "handle", first.get("handle"));
        assertThat(agent.call("lease_acquire", "name", "job", "attempt", "attempt-0001"))
                .containsEntry("outcome", "spent");
    }

    /** Nobody could ever release a lease whose handle nobody has. */
    @Test
    void anAnswerThatIsLostGivesTheLeaseBack() {
        RpcAnswer lost = agent.send("lease_acquire", Agent.arguments("name", "job"));
        lost.undelivered().run();
        agent.acquire("job");
        RpcAnswer repeatable = agent.send("lease_acquire", Agent.arguments("name", "other", "attempt", "attempt-0001"));
        repeatable.undelivered().run();
        assertThat(agent.call("lease_acquire", "name", "other")).containsEntry("outcome", "busy");
    }

    @Test
    void progressIsSeenByOthers() {
        String handle = agent.acquire("job");
        assertThat(agent.call("progress", "handle", handle, "note", "half", "checkpoint", "row 7"))
                .containsEntry("outcome", "noted");
        assertThat(agent.call("lease_status", "name", "job").toString()).contains("half", "row 7");
        assertThat(agent.call("progress", "handle", handle)).containsEntry("outcome", "invalid");
        assertThat(agent.call("progress", "handle", handle, "note", "a\nb")).containsEntry("outcome", "invalid");
    }

    @Test
    void namesAreListedByTheirStart() {
        agent.acquire("a/1");
        agent.acquire("a/2");
        agent.acquire("b/1");
        assertThat((List<?>) agent.call("lease_status", "prefix", "a/").get("leases"))
                .hasSize(2);
        assertThat(agent.call("lease_status")).containsEntry("outcome", "invalid");
        assertThat(agent.call("lease_status", "name", "a", "prefix", "b")).containsEntry("outcome", "invalid");
        assertThat(agent.call("lease_status", "name", "never")).containsEntry("outcome", "free");
        Agent other = new Agent(service, new McpCaller(Holder.of("bob"), true, "b/"));
        assertThat((List<?>) other.call("lease_status", "prefix", "a").get("leases"))
                .isEmpty();
        assertThat(other.call("lease_status", "name", "a/1")).containsEntry("outcome", "forbidden");
        assertThat((List<?>) other.call("lease_status", "prefix", "b").get("leases"))
                .hasSize(1);
    }

    @Test
    void aHandleMustBeWholeAndOfThisStore() {
        Grant grant = Grant.decode(agent.acquire("job"));
        Grant bare = Grant.bare(grant.name(), grant.token());
        Grant forged = new Grant(grant.name(), grant.token(), AttemptId.of("forged-00"), grant.store());
        try (MemoryLeaseStore elsewhere = new MemoryLeaseStore()) {
            Grant foreign = new Grant(grant.name(), grant.token(), grant.attempt(), elsewhere.id());
            assertThat(agent.call("lease_release", "handle", foreign.encode())).containsEntry("outcome", "wrong_store");
        }
        assertThat(agent.call("lease_release", "handle", bare.encode())).containsEntry("outcome", "invalid");
        assertThat(agent.call("lease_release", "handle", forged.encode())).containsEntry("outcome", "stale");
        for (String nonsense :
                List.of("x", "lh1;1;;;", "lh1;-1;attempt-1;s;job", "lh2;1;a;b;c", ";;;;", "lh1;1;1;1;1;1")) {
            assertThat(agent.call("lease_release", "handle", nonsense))
                    .containsEntry("outcome", "invalid")
                    .containsEntry("isError", true);
        }
        assertThat(agent.call("lease_status", "handle", grant.encode())).containsEntry("outcome", "current");
    }

    @Test
    void aMistakeInTheArgumentsIsNamed() {
        Object[][] wrong = {
            {"'name' is missing"},
            {"there is no argument 'nmae'", "nmae", "a"},
            {"'name' must be a string", "name", 5L},
            {"'name' must be a string", "name", List.of("a")},
            {"'name' must have 1 to 200", "name", ""},
            {"'name' must have 1 to 200", "name", "x".repeat(201)},
            {"lease name", "name", "a b"},
            {"lease name", "name", "\u202e"},
            {"'ttl_seconds' must be an integer", "name", "a", "ttl_seconds", 0L},
            {"'ttl_seconds' must be an integer", "name", "a", "ttl_seconds", 1.5},
            {"'ttl_seconds' must be an integer", "name", "a", "ttl_seconds", "60"},
            {"'ttl_seconds' must be an integer", "name", "a", "ttl_seconds", 1L << 60},
            {"'holder' is null", "name", "a", "holder", null},
            {"holder has", "name", "a", "holder", "a\u001b[31m"},
            {"attempt id", "name", "a", "attempt", "short"},
            {"there is no argument 'keep_alive'", "name", "a", "keep_alive", true},
        };
        for (Object[] one : wrong) {
            Map<String, Object> refused = agent.call("lease_acquire", java.util.Arrays.copyOfRange(one, 1, one.length));
            assertThat(refused).containsEntry("outcome", "invalid").containsEntry("isError", true);
            assertThat((String) refused.get("message"))
                    .contains((String) one[0], "Nothing was changed")
                    .doesNotContain("\u001b");
        }
        assertThat(store.list("", "", 10)).isEmpty();
    }

    @Test
    void aReaderOnlyLooks() {
        String handle = agent.acquire("job");
        Agent reader = new Agent(service, new McpCaller(Holder.of("eve"), false, ""));
        assertThat(reader.call("lease_status", "name", "job")).containsEntry("outcome", "held");
        assertThat(reader.call("explain", "name", "job")).containsEntry("outcome", "explained");
        for (String tool : List.of(
                "lease_acquire",
                "lease_renew",
                "lease_release",
                "progress",
                "work_claim",
                "work_checkpoint",
                "work_complete",
                "once")) {
            assertThat(reader.call(tool, "handle", handle)).containsEntry("outcome", "forbidden");
        }
    }
}
