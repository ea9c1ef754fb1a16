package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class McpStdioTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();

    private static String call(Object id, String tool, String arguments) {
        return "{'jsonrpc':'2.0','id':" + id + ",'method':'tools/call','params':{'name':'" + tool + "','arguments':"
                + arguments + "}}\n";
    }

    private static final String PING = "{'jsonrpc':'2.0','id':'p','method':'ping'}\n";

    private static byte[] bytes(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    /** The answers to an input that ends. */
    private List<Map<String, Object>> answers(byte[] input) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (McpService service =
                McpService.over(store).keepAlive(Duration.ofHours(1)).build()) {
            serve(service, new ByteArrayInputStream(input), out);
        }
        return parse(out);
    }

    private static void serve(McpService service, InputStream in, OutputStream out) throws InterruptedException {
        new McpStdio(service, McpCaller.everything(Holder.of("agent-1")), in, out).serve();
    }

    /** Every line is a message, and nothing else is written. */
    private static List<Map<String, Object>> parse(ByteArrayOutputStream out) throws MalformedJsonException {
        List<Map<String, Object>> messages = new ArrayList<>();
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text.isEmpty() || text.endsWith("\n")).isTrue();
        for (String line : text.lines().toList()) {
            Map<String, Object> message = Message.object(McpJson.parse(line.getBytes(StandardCharsets.UTF_8)));
            assertThat(message).containsEntry("jsonrpc", "2.0");
            messages.add(message);
        }
        return messages;
    }

    private static Object code(Map<String, Object> answer) {
        return Message.object(answer.get("error")).get("code");
    }

    @Test
    void everyRequestOfAnInputThatEndsIsAnswered() throws Exception {
        List<Map<String, Object>> answers = answers(bytes(call(1, "lease_acquire", "{'name':'a'}")
                + "\r\n  \n"
                + call(2, "lease_acquire", "{'name':'a'}")
                + PING.strip()));
        assertThat(answers).extracting(answer -> answer.get("id")).containsExactlyInAnyOrder(1L, 2L, "p");
    }

    @Test
    void nonsenseIsRefusedAndTheConnectionGoesOn() throws Exception {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        for (String line : List.of(
                "nonsense\n",
                "[]\n",
                "[" + PING.strip() + "]\n",
                "{'jsonrpc':'2.0','id':1}\n",
                "{'jsonrpc':'2.0','id':1,'id':2,'method':'ping'}\n",
                "[".repeat(5000) + "\n")) {
            input.write(bytes(line));
        }
        input.write(new byte[] {'"', (byte) 0xff, '"', '\n', 0, '\n'});
        input.write(bytes("{'jsonrpc':'2.0','method':'notifications/nonsense'}\n"));
        input.write(bytes("{'jsonrpc':'2.0','method':'notifications/cancelled'}\n"));
        input.write(bytes("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':{}}}\n"));
        input.write(bytes("{'jsonrpc':'2.0','id':1,'result':{}}\n"));
        input.write(bytes(PING));
        List<Map<String, Object>> answers = answers(input.toByteArray());
        assertThat(answers).hasSize(9);
        assertThat(answers.subList(0, 8)).allMatch(answer -> answer.containsKey("error"));
        assertThat(answers.get(8)).containsEntry("id", "p").containsKey("result");
    }

    @Test
    void aLineThatIsTooLongIsSkipped() throws Exception {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        byte[] chunk = new byte[1024 * 1024];
        for (int i = 0; i < 20; i++) {
            input.write(chunk);
        }
        input.write('\n');
        input.write(bytes(PING));
        List<Map<String, Object>> answers = answers(input.toByteArray());
        assertThat(answers).hasSize(2);
        assertThat(code(answers.get(0))).isEqualTo((long) RpcError.INVALID_REQUEST);
        assertThat(answers.get(1)).containsEntry("id", "p");
    }

    @Test
    void anInputThatEndsInTheMiddleReleasesWhatIsKept() throws Exception {
        answers(bytes(call(1, "lease_acquire", "{'name':'a','keep_alive':true}") + "{'jsonrpc':'2.0','id':2,'meth"));
        assertThat(store.inspect(LeaseName.of("a")).orElseThrow().state()).isEqualTo(LeaseSnapshot.State.RELEASED);
    }

    /** A store in which an acquire waits. */
    private static final class SlowStore extends ForwardingLeaseStore {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch answer = new CountDownLatch(1);

        SlowStore(MemoryLeaseStore store) {
            super(store);
        }

        @Override
        public dev.leasehold.model.Acquisition acquire(
                LeaseName name, dev.leasehold.model.AttemptId attempt, Holder holder, Duration ttl) {
            asked.countDown();
            try {
                assertThat(answer.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return super.acquire(name, attempt, holder, ttl);
        }
    }

    /** A client of a slow store, in its own thread. */
    private final class Connection implements AutoCloseable {
        private final SlowStore slow = new SlowStore(store);
        private final McpService service;
        private final PipedOutputStream input = new PipedOutputStream();
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final Thread server;

        Connection() throws IOException {
            service = McpService.over(slow).build();
            PipedInputStream in = new PipedInputStream(input, 1 << 20);
            server = new Thread(() -> {
                try {
                    serve(service, in, out);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            server.start();
        }

        void send(String line) throws IOException {
            input.write(bytes(line));
            input.flush();
        }

        List<Map<String, Object>> end() throws Exception {
            input.close();
            server.join();
            return parse(out);
        }

        void awaitAnswers(int count) throws Exception {
            while (parse(out).size() < count) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            slow.answer.countDown();
            service.close();
        }
    }

    @Test
    void aCancelledCallGetsNoAnswerAndLeavesNoLease() throws Exception {
        try (Connection connection = new Connection()) {
            connection.send(call(1, "lease_acquire", "{'name':'running'}"));
            connection.send(call(2, "lease_acquire", "{'name':'waiting'}"));
            assertThat(connection.slow.asked.await(30, TimeUnit.SECONDS)).isTrue();
            connection.send("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}\n");
            connection.send("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2}}\n");
            connection.send(PING);
            connection.awaitAnswers(1);
            connection.slow.answer.countDown();
            assertThat(connection.end()).hasSize(1);
        }
        assertThat(store.inspect(LeaseName.of("running")).orElseThrow().state())
                .isEqualTo(LeaseSnapshot.State.RELEASED);
        assertThat(store.inspect(LeaseName.of("waiting"))).isEmpty();
    }

    @Test
    void anIdInUseIsRefusedAndThePingIsAnsweredMeanwhile() throws Exception {
        try (Connection connection = new Connection()) {
            connection.send(call(1, "lease_acquire", "{'name':'a'}"));
            assertThat(connection.slow.asked.await(30, TimeUnit.SECONDS)).isTrue();
            connection.send(call(1, "lease_acquire", "{'name':'b'}"));
            connection.send("{'jsonrpc':'2.0','id':1,'method':'ping'}\n");
            connection.send(PING);
            connection.awaitAnswers(3);
            connection.slow.answer.countDown();
            List<Map<String, Object>> answers = connection.end();
            assertThat(answers).hasSize(4);
            assertThat(code(answers.get(0))).isEqualTo((long) RpcError.INVALID_REQUEST);
            assertThat(code(answers.get(1))).isEqualTo((long) RpcError.INVALID_REQUEST);
        }
        assertThat(store.inspect(LeaseName.of("b"))).isEmpty();
    }

    @Test
    void aClientThatSendsWithoutReadingIsLimited() throws Exception {
        try (Connection connection = new Connection()) {
            for (int i = 0; i < 300; i++) {
                connection.send(call(i, "lease_acquire", "{'name':'n" + i + "'}"));
            }
            connection.awaitAnswers(300 - 256);
            connection.slow.answer.countDown();
            List<Map<String, Object>> answers = connection.end();
            assertThat(answers).hasSize(300);
            assertThat(answers.subList(0, 44)).allMatch(answer -> answer.containsKey("error"));
        }
        assertThat(store.names("n", "", 500)).hasSize(256);
    }

    @Test
    void aClientThatIsGoneEndsTheServer() throws Exception {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        PipedOutputStream input = new PipedOutputStream();
        try (McpService service = McpService.over(store).build();
                PipedInputStream in = new PipedInputStream(input)) {
            input.write(bytes(call(1, "lease_acquire", "{'name':'a'}")));
            input.flush();
            serve(service, in, closed);
        }
        assertThat(store.inspect(LeaseName.of("a")).orElseThrow().state()).isEqualTo(LeaseSnapshot.State.RELEASED);
    }
}
