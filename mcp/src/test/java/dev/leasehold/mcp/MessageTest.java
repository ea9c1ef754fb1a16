package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
    private static Message read(String json) {
        return Message.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void requestsNotificationsAndResponsesAreToldApart() {
        assertThat(read("{'jsonrpc':'2.0','id':1,'method':'m'}")).isEqualTo(new Message.Request(1L, "m", Map.of()));
        assertThat(read("{'jsonrpc':'2.0','id':'x','method':'m','params':{'a':null}}"))
                .isInstanceOf(Message.Request.class);
        assertThat(read("{'jsonrpc':'2.0','method':'m','params':{}}"))
                .isEqualTo(new Message.Notification("m", Map.of()));
        assertThat(read("{'jsonrpc':'2.0','id':1,'result':{}}")).isEqualTo(new Message.Response());
        assertThat(read("{'jsonrpc':'2.0','id':1,'error':{}}")).isEqualTo(new Message.Response());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "nul",
                "{'a':1,'a':2}",
                "{} {}",
                "{'a':01}",
                "{'a':NaN}",
                "{'a':'\\ud800'}",
                "{'\\udc00':1}",
                "// {}",
                "{'a':1,}",
                "\ufeff{}"
            })
    void whatIsNoJsonIsAParseError(String text) {
        assertThat(read(text)).isInstanceOf(Message.Unusable.class);
        assertThat(((Message.Unusable) read(text)).error().code()).isEqualTo(RpcError.PARSE);
    }

    @Test
    void otherEncodingsDeepNestingAndManyValuesAreParseErrors() {
        byte[][] bad = {
            {(byte) 0xff, (byte) 0xfe},
            {'"', (byte) 0xc0, (byte) 0x80, '"'},
            {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
            "{}".getBytes(StandardCharsets.UTF_16LE),
            "{}".getBytes(StandardCharsets.UTF_16),
            "[".repeat(100_000).getBytes(StandardCharsets.UTF_8),
            ("[" + "[".repeat(McpJson.MAX_DEPTH) + "]".repeat(McpJson.MAX_DEPTH) + "]")
                    .getBytes(StandardCharsets.UTF_8),
            ("[" + "{},".repeat(200_000) + "{}]").getBytes(StandardCharsets.UTF_8),
            ("[" + "9".repeat(2000) + "]").getBytes(StandardCharsets.UTF_8),
        };
        for (byte[] bytes : bad) {
            assertThat(((Message.Unusable) Message.read(bytes)).error().code()).isEqualTo(RpcError.PARSE);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|false",
                "1|false",
                "null|false",
                "{}|false",
                "{'jsonrpc':'2.0'}|false",
                "{'jsonrpc':'2.0','id':null,'method':'m'}|false",
                "{'jsonrpc':'2.0','id':1.5,'method':'m'}|false",
                "{'jsonrpc':'2.0','id':{},'method':'m'}|false",
                "{'jsonrpc':'2.0','id':9223372036854775808,'method':'m'}|false",
                "{'jsonrpc':'1.0','id':1,'method':'m'}|true",
                "{'id':1,'method':'m'}|true",
                "{'jsonrpc':'2.0','id':1}|true",
                "{'jsonrpc':'2.0','id':1,'method':5}|true",
                "{'jsonrpc':'2.0','id':1,'method':'m','params':[]}|true",
                "{'jsonrpc':'2.0','id':1,'method':'m','params':null}|true",
            })
    void whatIsNoMessageIsInvalid(String text, boolean hasId) {
        Message.Unusable unusable = (Message.Unusable) read(text.replace('`', '"'));
        assertThat(unusable.error().code()).isEqualTo(RpcError.INVALID_REQUEST);
        assertThat(unusable.id() != null).isEqualTo(hasId);
    }

    @Test
    void anIdIsSentBackAsItCame() {
        String id = "\u00e4\n\u2028\ud83d\ude00\"";
        Message.Request request = (Message.Request)
                Message.read(McpJson.write(Agent.arguments("jsonrpc", "2.0", "id", id, "method", "m")));
        String answer = new String(RpcAnswer.of(request.id(), Map.of()).toJson(), StandardCharsets.UTF_8);
        assertThat(answer).doesNotContain("\n");
        assertThat(request.id()).isEqualTo(id);
        assertThat(read("{'jsonrpc':'2.0','id':'" + "x".repeat(257) + "','method':'m'}"))
                .isInstanceOf(Message.Unusable.class);
    }
}
