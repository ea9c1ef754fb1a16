package dev.leasehold.etcd;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Refuses to create a store below another one in the same cluster, or above it: the keys of the inner store would be keys
 * of the outer one too, and would be damaged records there.
 */
final class EtcdNesting {
    private static final String ID = "/store-id";
    private static final int PAGE = 1000;

    private EtcdNesting() {}

    /** @throws IllegalArgumentException if there is no store yet, and another one is above or below its place */
    static void requireNone(EtcdClient client) {
        String place = client.address().path();
        if (hasStore(client, place)) {
            return;
        }
        for (int slash = place.indexOf('/'); slash > 0; slash = place.indexOf('/', slash + 1)) {
            String above = place.substring(0, slash);
            if (mayReadAndHasStore(client, above)) {
                throw nested(client, above, "above");
            }
        }
        String after = "";
        List<String> page;
        do {
            page = new ArrayList<>();
            Map<String, Object> message = EtcdMessages.page(place + "/", "", after, PAGE, true);
            for (EtcdKey key : EtcdMessages.keys(client.call("kv/range", message, EtcdClient.Repeat.SAFE))) {
                page.add(key.name().substring(place.length() + 1));
            }
            for (String key : page) {
                after = key;
                // A prefix has no tilde; what a move left behind has one.
                if (key.endsWith(ID) && key.indexOf('~') < 0) {
                    throw nested(client, place + "/" + key.substring(0, key.length() - ID.length()), "below");
                }
            }
        } while (page.size() == PAGE);
    }

    private static boolean hasStore(EtcdClient client, String place) {
        Map<String, Object> range = EtcdMessages.range(place + ID);
        return !EtcdMessages.keys(client.call("kv/range", range, EtcdClient.Repeat.SAFE))
                .isEmpty();
    }

    /** A user may have no right to read above the prefix. */
    private static boolean mayReadAndHasStore(EtcdClient client, String place) {
        try {
            return hasStore(client, place);
        } catch (EtcdRefusedException e) {
            if (e.isForbidden()) {
                return false;
            }
            throw e;
        }
    }

    private static IllegalArgumentException nested(EtcdClient client, String other, String where) {
        return new IllegalArgumentException("there is a store " + where + " " + client.address() + ", with the prefix "
                + other + ", and the keys of one would be among those of the other. Nothing was created. Choose a"
                + " prefix that is neither above nor below that of another store, such as "
                + client.address().path().replace('/', '-'));
    }
}
