package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Holder;
import dev.leasehold.store.MemoryLeaseStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProtocolTest {
    private static final McpCaller CALLER = McpCaller.everything(Holder.of("agent-1"));

    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private McpService service;

    @BeforeEach
    void start() throws IOException {
        service = McpService.over(store).build();
    }

    @AfterEach
    void stop() {
        service.close();
        store.close();
    }

    private RpcAnswer ask(String method, Map<String, Object> params) {
        return service.answer(new Message.Request(1L, method, params), CALLER);
    }

    private static int code(RpcAnswer answer) {
        return answer.error().code();
    }

    @Test
    void initializeAgreesOnAVersion() {
        for (String version : List.of("2025-11-25", "2025-06-18")) {
            assertThat(ask("initialize", Map.of("protocolVersion", version)).result())
                    .containsEntry("protocolVersion", version)
                    .doesNotContainKey("resultType");
        }
        for (String version : List.of("2024-11-05", "2026-07-28", "", "nonsense")) {
            assertThat(ask("initialize", Map.of("protocolVersion", version)).result())
                    .containsEntry("protocolVersion", "2025-11-25");
        }
        assertThat(code(ask("initialize", Map.of()))).isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(ask("ping", Map.of()).result()).isEmpty();
    }

    @Test
    void aStatelessRequestIsJudgedByItself() {
        Map<String, Object> discovered =
                ask("server/discover", Map.of("_meta", Agent.stateless())).result();
        assertThat(discovered)
                .containsEntry("resultType", "complete")
                .containsEntry("cacheScope", "private")
                .containsKeys("supportedVersions", "capabilities", "instructions", "ttlMs", "_meta");
        assertThat(ask("tools/list", Map.of("_meta", Agent.stateless())).result())
                .containsEntry("resultType", "complete")
                .containsKeys("tools", "ttlMs", "cacheScope");
        for (String removed : List.of("initialize", "ping", "logging/setLevel", "nonsense")) {
            assertThat(code(ask(removed, Map.of("_meta", Agent.stateless())))).isEqualTo(RpcError.METHOD_NOT_FOUND);
        }
    }

    @Test
    void aWrongMetaIsNamed() {
        String version = "io.modelcontextprotocol/protocolVersion";
        RpcAnswer unsupported = ask("tools/list", Map.of("_meta", Map.of(version, "1900-01-01")));
        assertThat(code(unsupported)).isEqualTo(RpcError.UNSUPPORTED_VERSION);
        assertThat(unsupported.error().data())
                .containsEntry("requested", "1900-01-01")
                .containsEntry("supported", List.of("2026-07-28", "2025-11-25", "2025-06-18"));
        assertThat(code(ask("tools/list", Map.of("_meta", Map.of(version, 5L)))))
                .isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(code(ask("tools/list", Map.of("_meta", Map.of(version, "2026-07-28")))))
                .isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(code(ask("server/discover", Map.of()))).isEqualTo(RpcError.INVALID_PARAMS);
    }

    /** Otherwise a request with such a version could never be answered. */
    @Test
    void aVersionWithInitializeInTheMetaIsThatVersion() {
        Map<String, Object> meta = Map.of("io.modelcontextprotocol/protocolVersion", "2025-11-25", "progressToken", 1L);
        assertThat(ask("tools/list", Map.of("_meta", meta)).result()).doesNotContainKey("resultType");
    }

    @Test
    void unknownMethodsToolsAndCursorsAreErrors() {
        assertThat(code(ask("resources/list", Map.of()))).isEqualTo(RpcError.METHOD_NOT_FOUND);
        assertThat(code(ask("tools/call", Map.of("name", "rm")))).isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(code(ask("tools/call", Map.of("name", 5L)))).isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(code(ask("tools/call", Map.of("name", "explain", "arguments", List.of()))))
                .isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(code(ask("tools/list", Map.of("cursor", "x")))).isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(ask("tools/call", Map.of("name", "explain")).result()).containsEntry("isError", true);
    }

    @Test
    void everyToolHasAStrictSchemaAndSaysWhenToUseIt() {
        List<?> tools = (List<?>) ask("tools/list", Map.of()).result().get("tools");
        assertThat(tools)
                .extracting(tool -> Message.object(tool).get("name"))
                .containsExactly(
                        "lease_acquire",
                        "lease_renew",
                        "lease_release",
                        "progress",
                        "lease_status",
                        "work_claim",
                        "work_checkpoint",
                        "work_complete",
                        "once",
                        "explain");
        for (Object each : tools) {
            Map<String, Object> tool = Message.object(each);
            assertThat(Message.object(tool.get("inputSchema")))
                    .containsEntry("type", "object")
                    .containsEntry("additionalProperties", false);
            assertThat((String) tool.get("description")).hasSizeGreaterThan(80);
            assertThat(tool).containsKeys("title", "outputSchema", "annotations");
        }
    }
}
