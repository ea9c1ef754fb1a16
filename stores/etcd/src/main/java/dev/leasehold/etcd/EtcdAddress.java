package dev.leasehold.etcd;

import dev.leasehold.internal.UrlTimeout;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of an etcd cluster, the credentials, and the prefix of all keys. The text form omits user and password,
 * so that it can appear in any message.
 *
 * @param certificates a file of PEM certificates to trust instead of the JDK's
 * @param timeout for each call, with all its tries
 */
record EtcdAddress(
        List<URI> servers,
        @Nullable String user,
        @Nullable String password,
        String prefix,
        Duration timeout,
        @Nullable String certificates) {
    static final String FORM = "etcd://[user:password@]host[:port][,host2[:port]]/prefix[?timeout=3s&ca=file.pem]"
            + " (etcds:// for TLS; write @ : / ? # & % in a password as %40 %3A %2F %3F %23 %26 %25)";

    private static final int DEFAULT_PORT = 2379;
    private static final int MAX_PREFIX_LENGTH = 200;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);

    /**
     * @throws IllegalArgumentException with the correct form, and without any part of the malformed
     *     URL
     */
    static EtcdAddress parse(String url) {
        boolean tls = url.regionMatches(true, 0, "etcds://", 0, 8);
        if (!tls && !url.regionMatches(true, 0, "etcd://", 0, 7)) {
            throw malformed("it does not start with etcd:// or etcds://");
        }
        String rest = url.substring(tls ? 8 : 7);
        if (rest.indexOf('#') >= 0) {
            throw malformed("it has a #");
        }
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        int slash = path.indexOf('/');
        String prefix = slash < 0 ? "" : path.substring(slash + 1);
        String authority = slash < 0 ? path : path.substring(0, slash);
        int at = authority.lastIndexOf('@');
        String credentials = at < 0 ? "" : authority.substring(0, at);
        int colon = credentials.indexOf(':');
        if (at >= 0 && colon <= 0) {
            throw malformed("a user and a password belong before the @, with a : between them");
        }
        Duration timeout = DEFAULT_TIMEOUT;
        String certificates = null;
        for (String part :
                question < 0 ? new String[0] : rest.substring(question + 1).split("&", -1)) {
            if (part.startsWith("timeout=")) {
                timeout = timeout(part.substring(8));
            } else if (part.startsWith("ca=")) {
                certificates = decode(part.substring(3));
            } else {
                throw malformed("a parameter after the ? is not one of timeout and ca");
            }
        }
        return new EtcdAddress(
                servers(tls, authority.substring(at + 1)),
                at < 0 ? null : decode(credentials.substring(0, colon)),
                at < 0 ? null : decode(credentials.substring(colon + 1)),
                prefix(prefix),
                timeout,
                certificates);
    }

    private static List<URI> servers(boolean tls, String hosts) {
        List<URI> servers = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            try {
                URI server = URI.create((tls ? "https://" : "http://") + host);
                boolean plain =
                        server.getHost() != null && server.getRawUserInfo() == null && server.getPort() <= 65535;
                if (!plain) {
                    throw malformed("a host is not a name or an address with a port");
                }
                servers.add(server.getPort() >= 0 ? server : URI.create(server + ":" + DEFAULT_PORT));
            } catch (IllegalArgumentException e) {
                throw malformed("a host is not a name or an address with a port");
            }
        }
        return List.copyOf(servers);
    }

    private static String prefix(String text) {
        String prefix = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        boolean fits = !prefix.isEmpty() && prefix.length() <= MAX_PREFIX_LENGTH;
        for (int i = 0; i < prefix.length() && fits; i++) {
            char c = prefix.charAt(i);
            fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._-/".indexOf(c) >= 0;
        }
        if (!fits) {
            throw malformed("the prefix of the store's keys, after the host, has 1 to " + MAX_PREFIX_LENGTH
                    + " characters of A-Z a-z 0-9 . _ - /");
        }
        return prefix;
    }

    private static Duration timeout(String text) {
        Duration timeout = UrlTimeout.parse(text);
        if (timeout == null) {
            throw malformed(UrlTimeout.FORM + "3s");
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
        return new IllegalArgumentException("the etcd URL is malformed: " + complaint + ". Write " + FORM);
    }

    /** The members and the prefix, without credentials. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(servers.get(0).getScheme().equals("https") ? "etcds://" : "etcd://");
        for (URI server : servers) {
            text.append(text.charAt(text.length() - 1) == '/' ? "" : ",").append(server.getRawAuthority());
        }
        return text.append('/').append(prefix).toString();
    }
}
