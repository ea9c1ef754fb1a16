package dev.leasehold.etcd;

import dev.leasehold.internal.ClusterUrl;
import java.time.Duration;

/** The URL of a store in etcd. Its path is the prefix of all keys. */
final class EtcdUrl {
    private static final int MAX_PREFIX_LENGTH = 200;

    private static final ClusterUrl.Form FORM =
            new ClusterUrl.Form("etcd", "etcd", 2379, Duration.ofSeconds(3), "/prefix[?timeout=3s]");

    private EtcdUrl() {}

    static ClusterUrl parse(String text) {
        ClusterUrl url = ClusterUrl.parse(FORM, text);
        url.requirePath("the prefix of the store's keys", MAX_PREFIX_LENGTH, "._-/");
        return url;
    }
}
