package dev.leasehold.redis;

import dev.leasehold.model.Text;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;

/**
 * Pages through a sorted set whose members all have the same score, so that Redis sorts them by
 * bytes.
 */
final class SortedIndex {
    private static final byte[] LIMIT = Resp.bytes("LIMIT");
    private static final byte[] ZERO = Resp.bytes("0");

    private SortedIndex() {}

    static List<String> page(RedisClient client, byte[] index, String prefix, String after, int limit) {
        if (limit <= 0 || !isPrintable(prefix)) {
            return List.of();
        }
        String from =
                after.compareTo(prefix) >= 0 && !after.isEmpty() ? "(" + after : prefix.isEmpty() ? "-" : "[" + prefix;
        Object answer = client.call(
                RedisClient.Repeat.SAFE,
                Protocol.Command.ZRANGEBYLEX,
                index,
                Resp.bytes(from),
                Resp.bytes(prefix.isEmpty() ? "+" : "(" + successor(prefix)),
                LIMIT,
                ZERO,
                Resp.bytes(Integer.toString(limit)));
        return client.failures().parsed(() -> texts(Resp.list(answer)));
    }

    private static List<String> texts(List<@Nullable Object> members) {
        List<String> page = new ArrayList<>(members.size());
        for (Object member : members) {
            page.add(Resp.text(member));
        }
        return page;
    }

    /** Members are printable ASCII, so no member starts with anything else. */
    private static boolean isPrintable(String prefix) {
        return prefix.chars().allMatch(Text::isPrintable);
    }

    /** The first text after everything that starts with the prefix. */
    private static String successor(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }
}
