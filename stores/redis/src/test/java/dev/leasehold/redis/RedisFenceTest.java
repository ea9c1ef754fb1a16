package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.WrongFenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/** What is particular to fences in Redis: kinds of values, and scripts of the user's own. */
@ExtendWith(SharedRedis.class)
class RedisFenceTest {
    /** A transfer between two accounts, the way a user would write it. */
    private static final String TRANSFER = RedisFenceScript.source()
            + """
            local refused = leasehold_admit(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
            if refused then return refused end
            redis.call('DECRBY', KEYS[2], ARGV[5])
            redis.call('INCRBY', KEYS[3], ARGV[5])
            return {'admitted'}
            """;

    private final String key = "{" + UUID.randomUUID() + "}";
    private RedisClient client;

    @BeforeEach
    void connect() {
        client = RedisClient.connect(SharedRedis.url());
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void ownScriptIsRefusedToAStaleToken() {
        assertThat(transfer(grant(2), 30)).isEqualTo(new Admission.Admitted(FencingToken.of(2)));
        assertThat(transfer(grant(1), 1000)).isEqualTo(new Admission.Stale(grant(1), FencingToken.of(2)));
        assertThat(transfer(grant(2), 12)).isInstanceOf(Admission.Admitted.class);
        Grant twin =
                new Grant(grant(2).name(), FencingToken.of(2), AttemptId.of("attempt-of-a-twin"), grant(2).store());
        assertThat(transfer(twin, 1000)).isInstanceOf(Admission.StoreWentBack.class);
        Grant other = Grant.bare(LeaseName.of("another"), FencingToken.of(9));
        assertThatThrownBy(() -> transfer(other, 1000))
                .isInstanceOf(WrongFenceException.class)
                .hasMessageContaining("nightly");
        assertThat(get(key + "from")).isEqualTo("-42");
        assertThat(get(key + "to")).isEqualTo("42");
    }

    @Test
    void ownScriptAndFenceOfTheSameKeyKnowOfEachOther() {
        transfer(grant(5), 1);
        RedisFence fence = RedisFence.at(client, key + "from");
        assertThat(fence.admit(grant(4), RedisWrite.string("0"))).isInstanceOf(Admission.Stale.class);
        assertThat(fence.raise(grant(6))).isInstanceOf(Admission.Admitted.class);
        assertThat(transfer(grant(5), 1)).isInstanceOf(Admission.Stale.class);
    }

    @Test
    void answerThatIsNoneOfOursIsAUsageError() {
        assertThatThrownBy(() -> RedisFenceScript.admission(grant(1), "x", List.of("done")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leasehold_admit");
    }

    @Test
    void keyInBracesHasAnotherFenceThanTheSameKeyWithout() {
        String plain = key.substring(1, key.length() - 1);
        assertThat(RedisFence.at(client, plain).raise(grant(9))).isInstanceOf(Admission.Admitted.class);
        assertThat(RedisFence.at(client, key).admit(grant(1), RedisWrite.string("its own")))
                .isInstanceOf(Admission.Admitted.class);
        assertThat(RedisFence.at(client, plain).admit(grant(1), RedisWrite.string("stale")))
                .isInstanceOf(Admission.Stale.class);
    }

    @Test
    void everyKeyHasAFenceOfItsOwnOnItsOwnNode() {
        Map<String, String> guarded = new TreeMap<>();
        List<String> shorter = List.of("");
        for (int length = 1; length <= 7; length++) {
            List<String> keys = new ArrayList<>();
            for (String start : shorter) {
                List.of("a", "{", "}").forEach(end -> keys.add(start + end));
            }
            for (String each : keys) {
                String fence = RedisFenceScript.fenceKey(each);
                assertThat(guarded.putIfAbsent(fence, each))
                        .as("%s and %s", fence, each)
                        .isNull();
                if (isPlacedByItsFence(each)) {
                    assertThat(JedisClusterCRC16.getSlot(fence)).as(each).isEqualTo(JedisClusterCRC16.getSlot(each));
                }
            }
            shorter = keys;
        }
    }

    /** Not if it has braces that enclose nothing or are not closed. */
    private static boolean isPlacedByItsFence(String guarded) {
        int open = guarded.indexOf('{');
        boolean tagged = open >= 0 && guarded.indexOf('}', open) > open + 1;
        return tagged || !guarded.contains("}");
    }

    @Test
    void fieldsAreSetAndOthersKept() {
        RedisFence fence = RedisFence.at(client, key);
        fence.admit(grant(1), RedisWrite.fields(Map.of("a", "1", "b", "2")));
        fence.admit(grant(1), RedisWrite.fields(Map.of("b", "3")));
        assertThat(command(SharedRedis.url(), Protocol.Command.HLEN, key)).isEqualTo(2L);
        Map<String, String> many = new TreeMap<>();
        for (int i = 0; i < 5000; i++) {
            many.put("field " + i, "value " + i);
        }
        assertThat(fence.admitOnce(grant(1), RedisWrite.fields(many))).isInstanceOf(Admission.Admitted.class);
        assertThat(fence.admitOnce(grant(1), RedisWrite.fields(many))).isInstanceOf(Admission.AlreadyWritten.class);
        assertThat(command(SharedRedis.url(), Protocol.Command.HLEN, key)).isEqualTo(5002L);
        assertThatThrownBy(() -> RedisWrite.fields(Map.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void writeThatTheTargetCannotTakeDoesNotUseUpTheOneWrite() {
        RedisFence fence = RedisFence.at(client, key);
        fence.admit(grant(1), RedisWrite.string("a string"));
        assertThatThrownBy(() -> fence.admitOnce(grant(1), RedisWrite.fields(Map.of("a", "1"))))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("nothing was written");
        assertThat(fence.admitOnce(grant(1), RedisWrite.string("the one"))).isInstanceOf(Admission.Admitted.class);
        assertThat(get(key)).isEqualTo("the one");
    }

    @Test
    void fenceThatSomebodyDamagedFailsClosed() {
        RedisFence fence = RedisFence.at(client, key);
        fence.admit(grant(1), RedisWrite.string("before"));
        command(SharedRedis.url(), Protocol.Command.HDEL, RedisFenceScript.fenceKey(key), "name");
        assertThatThrownBy(() -> fence.admit(grant(2), RedisWrite.string("after")))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("nothing was written");
        assertThat(get(key)).isEqualTo("before");
    }

    private Admission transfer(Grant grant, int amount) {
        String from = key + "from";
        List<String> arguments =
                new ArrayList<>(List.of(TRANSFER, "3", RedisFenceScript.fenceKey(from), from, key + "to"));
        arguments.addAll(RedisFenceScript.arguments(grant));
        arguments.add(Integer.toString(amount));
        Object reply = command(SharedRedis.url(), Protocol.Command.EVAL, arguments.toArray(new String[0]));
        return RedisFenceScript.admission(grant, from, reply);
    }

    private static String get(String key) {
        return Resp.text(command(SharedRedis.url(), Protocol.Command.GET, key));
    }

    private static Grant grant(long token) {
        return new Grant(
                LeaseName.of("nightly"),
                FencingToken.of(token),
                AttemptId.of("attempt-of-" + token),
                StoreId.of("store-of-the-test"));
    }
}
