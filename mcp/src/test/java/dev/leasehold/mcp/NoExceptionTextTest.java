package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes wrong, the client learns what it can do, and the log learns the rest. */
class NoExceptionTextTest {
    private static final String SECRET = "jdbc:postgresql://user:s3cret@host";
    private static final Set<String> HARMLESS = Set.of("id", "close");

    private final MemoryLeaseStore real = new MemoryLeaseStore();
    private Throwable failure;

    private final LeaseStore store = failing(LeaseStore.class, real);

    private <T> T failing(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (failure != null && !HARMLESS.contains(method.getName())) {
                throw failure;
            }
            try {
                Object result = method.invoke(target, args);
                return result instanceof CasRegister register ? failing(CasRegister.class, register) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    @Test
    void noToolTellsWhatAnExceptionSays(@TempDir Path root) throws Exception {
        List<String> log = new ArrayList<>();
        try (McpService service = McpService.over(store)
                .roots(List.of(root))
                .log((what, why) -> log.add(String.valueOf(why.getMessage())))
                .build()) {
            Agent agent = new Agent(service);
            String handle = agent.acquire("job");
            for (Throwable each : List.of(
                    new StoreUnavailableException(SECRET),
                    new StoreMissingException(SECRET),
                    new StoreCorruptException(SECRET),
                    new IllegalArgumentException(SECRET),
                    new IllegalStateException(SECRET),
                    new NullPointerException(SECRET),
                    new StackOverflowError(SECRET),
                    new OutOfMemoryError(SECRET))) {
                failure = each;
                for (RpcAnswer answer : everyTool(agent, handle)) {
                    String json = new String(answer.toJson(), java.nio.charset.StandardCharsets.UTF_8);
                    assertThat(json)
                            .contains("\"isError\":true")
                            .doesNotContain("s3cret", "Exception", "Error:", "at dev.");
                    assertThat(Message.object(answer.result().get("structuredContent")))
                            .containsKeys("outcome", "message");
                }
                failure = null;
            }
            assertThat(agent.call("lease_status", "handle", handle)).containsEntry("outcome", "current");
        }
        assertThat(log).contains(SECRET);
    }

    private static List<RpcAnswer> everyTool(Agent agent, String handle) {
        Grant.decode(handle);
        List<RpcAnswer> answers = new ArrayList<>();
        Map<String, Object[]> calls = Map.of(
                "lease_acquire", new Object[] {"name", "other"},
                "lease_renew", new Object[] {"handle", handle},
                "lease_release", new Object[] {"handle", handle},
                "lease_status", new Object[] {"name", "job"},
                "progress", new Object[] {"handle", handle, "note", "n"},
                "write_file", new Object[] {"handle", handle, "path", "f", "content", "c"},
                "work_claim", new Object[] {"handle", handle, "key", "k"},
                "work_complete", new Object[] {"handle", handle, "key", "k"},
                "once", new Object[] {"handle", handle, "id", "i", "action", "begin"},
                "explain", new Object[] {"name", "job"});
        calls.forEach((tool, arguments) -> answers.add(agent.send(tool, Agent.arguments(arguments))));
        return answers;
    }
}
