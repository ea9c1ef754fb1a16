package dev.leasehold.zookeeper;

import dev.leasehold.internal.UrlTimeout;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The members of a ZooKeeper ensemble, the credentials, and the path of the store. The text form omits the credentials,
 * so that it can appear in any message.
 *
 * @param hosts as ZooKeeper's client takes them: {@code host:port,host2:port}
 * @param credentials {@code user:password} for the digest scheme; null if there are none
 * @param timeout for each call
 * @param certificates a file of PEM certificates to trust, for TLS; null without TLS
 */
record ZooKeeperAddress(
        String hosts, @Nullable String credentials, String path, Duration timeout, @Nullable String certificates) {
    static final String FORM = "zookeeper://[user:password@]host[:port][,host2[:port]]/path[?timeout=5s]"
            + " (zookeepers://...?ca=file.pem for TLS; write @ : / ? # & % in a password as %40 %3A %2F %3F %23 %26 %25)";

    private static final String SCHEME = "zookeeper://";
    private static final String TLS_SCHEME = "zookeepers://";
    private static final int DEFAULT_PORT = 2181;
    private static final int MAX_PATH_LENGTH = 200;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /**
     * @throws IllegalArgumentException with the correct form, and without any part of the malformed
     *     URL
     */
    static ZooKeeperAddress parse(String url) {
        boolean tls = url.regionMatches(true, 0, TLS_SCHEME, 0, TLS_SCHEME.length());
        if (!tls && !url.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw malformed("it does not start with zookeeper:// or zookeepers://");
        }
        String rest = url.substring(tls ? TLS_SCHEME.length() : SCHEME.length());
        if (rest.indexOf('#') >= 0) {
            throw malformed("it has a #");
        }
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        int slash = place.indexOf('/');
        String authority = slash < 0 ? place : place.substring(0, slash);
        int at = authority.lastIndexOf('@');
        if (at >= 0 && authority.substring(0, at).indexOf(':') <= 0) {
            throw malformed("a user and a password belong before the @, with a : between them");
        }
        Duration timeout = DEFAULT_TIMEOUT;
        String certificates = null;
        for (String part :
                question < 0 ? new String[0] : rest.substring(question + 1).split("&", -1)) {
            if (part.startsWith("timeout=")) {
                timeout = timeout(part.substring(8));
            } else if (part.startsWith("ca=") && tls) {
                certificates = decode(part.substring(3));
            } else {
                throw malformed("a parameter after the ? is not one of timeout and, with zookeepers://, ca");
            }
        }
        if (tls && (certificates == null || certificates.isEmpty())) {
            // ZooKeeper's client does not check the host of a certificate that the JDK's authorities have signed.
            throw malformed("zookeepers:// needs the certificates to trust, with ?ca=file.pem");
        }
        return new ZooKeeperAddress(
                hosts(authority.substring(at + 1)),
                at < 0 ? null : decode(authority.substring(0, at)),
                path(slash < 0 ? "" : place.substring(slash)),
                timeout,
                certificates);
    }

    private static String hosts(String text) {
        StringBuilder hosts = new StringBuilder();
        for (String host : text.split(",", -1)) {
            try {
                URI server = URI.create("http://" + host);
                if (server.getHost() == null || server.getRawUserInfo() != null || server.getPort() > 65535) {
                    throw malformed("a host is not a name or an address with a port");
                }
                hosts.append(hosts.isEmpty() ? "" : ",")
                        .append(host)
                        .append(server.getPort() >= 0 ? "" : ":" + DEFAULT_PORT);
            } catch (IllegalArgumentException e) {
                throw malformed("a host is not a name or an address with a port");
            }
        }
        return hosts.toString();
    }

    private static String path(String text) {
        String path = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        boolean fits = path.length() > 1 && path.length() <= MAX_PATH_LENGTH && !path.contains("//");
        for (int i = 0; i < path.length() && fits; i++) {
            char c = path.charAt(i);
            fits = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '_'
                    || c == '-'
                    || c == '/'
                    || (c == '.' && path.charAt(i - 1) != '/' && path.charAt(i - 1) != '.');
        }
        if (!fits || path.equals("/zookeeper") || path.startsWith("/zookeeper/")) {
            throw malformed("the path of the store, after the hosts, has 1 to " + MAX_PATH_LENGTH
                    + " characters of A-Z a-z 0-9 . _ - /, and is not below /zookeeper");
        }
        return path;
    }

    private static Duration timeout(String text) {
        Duration timeout = UrlTimeout.parse(text);
        if (timeout == null) {
            throw malformed(UrlTimeout.FORM + "5s");
        }
        return timeout;
    }

    private static String decode(String text) {
        try {
            // The decoder would take a plus for a blank.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed("a % is not followed by two hexadecimal digits");
        }
    }

    private static IllegalArgumentException malformed(String complaint) {
        return new IllegalArgumentException("the ZooKeeper URL is malformed: " + complaint + ". Write " + FORM);
    }

    @Override
    public String toString() {
        return (certificates == null ? SCHEME : TLS_SCHEME) + hosts + path;
    }
}
