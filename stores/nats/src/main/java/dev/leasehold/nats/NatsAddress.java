package dev.leasehold.nats;

import dev.leasehold.internal.UrlTimeout;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers, the credentials, and the bucket. The text form omits user and password, so that it can appear in any
 * message.
 *
 * @param timeout for each call
 * @param certificates a file of PEM certificates to trust instead of the JDK's; null without one
 */
record NatsAddress(
        boolean tls,
        List<String> servers,
        @Nullable String user,
        @Nullable String password,
        String bucket,
        Duration timeout,
        @Nullable String certificates) {
    static final String FORM = "nats://[user:password@]host[:port][,host2[:port]]/bucket[?timeout=3s&ca=file.pem]"
            + " (natss:// for TLS; write @ : / ? # & % in a password as %40 %3A %2F %3F %23 %26 %25)";

    private static final String SCHEME = "nats://";
    private static final String TLS_SCHEME = "natss://";
    private static final int DEFAULT_PORT = 4222;
    private static final int MAX_BUCKET_LENGTH = 64;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);

    /**
     * @throws IllegalArgumentException with the correct form, and without any part of the malformed
     *     URL
     */
    static NatsAddress parse(String url) {
        boolean tls = url.regionMatches(true, 0, TLS_SCHEME, 0, TLS_SCHEME.length());
        if (!tls && !url.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw malformed("it does not start with nats:// or natss://");
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
            } else if (part.startsWith("ca=") && tls) {
                certificates = decode(part.substring(3));
            } else {
                throw malformed("a parameter after the ? is not one of timeout and, with natss://, ca");
            }
        }
        return new NatsAddress(
                tls,
                servers(authority.substring(at + 1)),
                at < 0 ? null : decode(credentials.substring(0, colon)),
                at < 0 ? null : decode(credentials.substring(colon + 1)),
                bucket(slash < 0 ? "" : place.substring(slash + 1)),
                timeout,
                certificates);
    }

    private static List<String> servers(String text) {
        List<String> servers = new ArrayList<>();
        for (String host : text.split(",", -1)) {
            try {
                URI server = URI.create("http://" + host);
                if (server.getHost() == null || server.getRawUserInfo() != null || server.getPort() > 65535) {
                    throw malformed("a host is not a name or an address with a port");
                }
                servers.add(host + (server.getPort() >= 0 ? "" : ":" + DEFAULT_PORT));
            } catch (IllegalArgumentException e) {
                throw malformed("a host is not a name or an address with a port");
            }
        }
        return List.copyOf(servers);
    }

    private static String bucket(String text) {
        boolean fits = !text.isEmpty() && text.length() <= MAX_BUCKET_LENGTH;
        for (int i = 0; i < text.length() && fits; i++) {
            char c = text.charAt(i);
            fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        }
        if (!fits) {
            throw malformed(
                    "the bucket, after the host, has 1 to " + MAX_BUCKET_LENGTH + " characters of A-Z a-z 0-9 _ -");
        }
        return text;
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
        return new IllegalArgumentException("the NATS URL is malformed: " + complaint + ". Write " + FORM);
    }

    @Override
    public String toString() {
        return (tls ? TLS_SCHEME : SCHEME) + String.join(",", servers) + "/" + bucket;
    }
}
