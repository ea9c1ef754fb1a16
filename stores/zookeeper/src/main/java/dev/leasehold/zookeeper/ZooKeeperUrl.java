package dev.leasehold.zookeeper;

import dev.leasehold.internal.ClusterUrl;
import java.time.Duration;

/** The URL of a store in ZooKeeper. Its path is that of the znode above all others of the store. */
final class ZooKeeperUrl {
    private static final int MAX_PATH_LENGTH = 200;

    private static final ClusterUrl.Form FORM =
            new ClusterUrl.Form("ZooKeeper", "zookeeper", 2181, Duration.ofSeconds(5), "/path[?timeout=5s]");

    private ZooKeeperUrl() {}

    static ClusterUrl parse(String text) {
        ClusterUrl url = ClusterUrl.parse(FORM, text);
        String path = "/" + url.requirePath("the path of the store", MAX_PATH_LENGTH, "._-/");
        if (path.contains("//") || path.contains("/.") || path.contains("..")) {
            throw FORM.malformed("a part of the path is empty, starts with a dot or has two dots");
        }
        if ((path + "/").startsWith("/zookeeper/")) {
            throw FORM.malformed("the path /zookeeper belongs to ZooKeeper itself");
        }
        if (url.tls() && (url.certificates() == null || url.certificates().isEmpty())) {
            // ZooKeeper's client does not check the host of a certificate that the JDK's authorities have signed.
            throw FORM.malformed("zookeepers:// needs the certificates to trust, with ?ca=file.pem");
        }
        return url;
    }
}
