package dev.leasehold.redis;

import dev.leasehold.model.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;

/** Server settings under which Redis can lose an acknowledged token and issue it again. */
final class RedisSettings {
    private static final String REPAIR = "; fences then refuse, and 'leasehold repair' raises the counter";

    private RedisSettings() {}

    static List<String> warnings(RedisClient client) {
        List<String> warnings = new ArrayList<>();
        durability(client, warnings);
        eviction(client, warnings);
        replication(client, warnings);
        return warnings;
    }

    private static void durability(RedisClient client, List<String> warnings) {
        String appendOnly = setting(client, "appendonly");
        String sync = setting(client, "appendfsync");
        if (appendOnly == null || sync == null) {
            warnings.add(
                    "it could not be checked whether Redis keeps every acknowledged token, because this user may not read its"
                            + " settings: make sure that they are 'appendonly yes' and 'appendfsync always'");
        } else if (appendOnly.equals("no")) {
            warnings.add(
                    "Redis keeps no append-only file: after a crash it restores its last snapshot, or starts empty, and"
                            + " issues later tokens again" + REPAIR
                            + ". Set 'appendonly yes' and 'appendfsync always'");
        } else if (!sync.equals("always")) {
            warnings.add("Redis writes its append-only file to disk "
                    + (sync.equals("everysec") ? "once a second" : "when the operating system decides")
                    + ": after a power cut it may issue the latest tokens again" + REPAIR
                    + ". Set 'appendfsync always'");
        }
    }

    private static void eviction(RedisClient client, List<String> warnings) {
        String policy = setting(client, "maxmemory-policy");
        if (policy == null) {
            warnings.add("it could not be checked whether Redis evicts counters when its memory is full: make sure that"
                    + " 'maxmemory-policy' does not start with allkeys");
        } else if (policy.startsWith("allkeys")) {
            warnings.add("Redis evicts any key when its memory is full (maxmemory-policy " + policy
                    + "), including counters, whose tokens then start at 1 again" + REPAIR
                    + ". Set 'maxmemory-policy noeviction' or one of volatile-*");
        }
    }

    private static void replication(RedisClient client, List<String> warnings) {
        String role = null;
        int replicas = 0;
        for (String line : info(client).split("\r?\n", -1)) {
            if (line.startsWith("role:")) {
                role = line.substring("role:".length()).strip();
            } else if (line.startsWith("connected_slaves:")) {
                replicas = Integer.parseInt(
                        line.substring("connected_slaves:".length()).strip());
            }
        }
        if (role == null) {
            warnings.add(
                    "it could not be checked whether Redis has replicas: a promoted replica may not have received the"
                            + " latest tokens, and issue them again");
        } else if (role.equals("slave")) {
            warnings.add("this Redis is a replica and accepts no writes: point the URL to the primary");
        } else if (replicas > 0) {
            warnings.add("Redis has " + replicas + (replicas == 1 ? " replica" : " replicas") + ", which get"
                    + (replicas == 1 ? "s" : "")
                    + " each token only after it was acknowledged: a promoted replica may issue the"
                    + " latest tokens again" + REPAIR);
        }
    }

    private static @Nullable String setting(RedisClient client, String name) {
        try {
            List<@Nullable Object> answer = Resp.list(
                    client.call(RedisClient.Repeat.SAFE, Protocol.Command.CONFIG, Resp.bytes("GET"), Resp.bytes(name)));
            return answer.size() < 2 ? null : Resp.text(answer.get(1));
        } catch (StoreUnavailableException e) {
            // Hosted servers often forbid the command.
            return null;
        }
    }

    private static String info(RedisClient client) {
        try {
            Object answer = client.call(RedisClient.Repeat.SAFE, Protocol.Command.INFO, Resp.bytes("replication"));
            return answer instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : "";
        } catch (StoreUnavailableException e) {
            return "";
        }
    }
}
