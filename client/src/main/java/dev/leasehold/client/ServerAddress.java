package dev.leasehold.client;

import dev.leasehold.internal.UrlTimeout;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of one or more servers of the same store.
 *
 * @param servers at least one, without a slash at the end
 * @param timeout for each call, with all its repetitions
 * @param keyFile a file with the key to send; null for the environment's
 * @param certificates a file of PEM certificates to trust instead of the JDK's
 * @param plaintext whether a key may be sent to another host without TLS
 */
record ServerAddress(
        List<URI> servers,
        Duration timeout,
        @Nullable String keyFile,
        @Nullable String certificates,
        boolean plaintext) {
    static final String FORM =
            "http://host[:port][,host[:port]...][/path][?timeout=10s&auth-file=/FILE&ca=/FILE.pem] (https:// for TLS)";

    private static final Set<String> THIS_HOST = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /** @throws IllegalArgumentException with the correct form, and without any part of the malformed URL */
    static ServerAddress parse(String url) {
        int start = url.indexOf("://");
        String scheme = start < 0 ? "" : url.substring(0, start).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw malformed("it does not start with http:// or https://");
        }
        int question = url.indexOf('?');
        String place = url.substring(start + 3, question < 0 ? url.length() : question);
        int slash = place.indexOf('/');
        String path = slash < 0 ? "" : place.substring(slash);
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        List<URI> servers = new ArrayList<>();
        for (String host : (slash < 0 ? place : place.substring(0, slash)).split(",", -1)) {
            servers.add(server(scheme, host, path));
        }
        return withParameters(List.copyOf(servers), question < 0 ? "" : url.substring(question + 1));
    }

    /** @throws IllegalArgumentException if somebody on the way to a server could read the key */
    void requireSafeForAKey() {
        for (URI server : servers) {
            if (server.getScheme().equals("http") && !plaintext && !THIS_HOST.contains(server.getHost())) {
                throw new IllegalArgumentException("the key was not sent to " + server.getHost()
                        + ": without TLS everybody on the way can read it and use it. Write https://, or add"
                        + " ?insecure-plaintext=true if nobody else is on the way");
            }
        }
    }

    private static URI server(String scheme, String host, String path) {
        try {
            URI server = new URI(scheme + "://" + host + path);
            if (server.getUserInfo() != null || host.indexOf('@') >= 0) {
                throw malformed(
                        "it has a user or a password; a key is in LEASEHOLD_ACCESS_KEY, or in a file that auth-file names");
            }
            if (server.getHost() == null || server.getFragment() != null) {
                throw malformed("it names no host");
            }
            return server;
        } catch (URISyntaxException e) {
            throw malformed("the host or the path has characters that do not belong there");
        }
    }

    private static ServerAddress withParameters(List<URI> servers, String query) {
        Duration timeout = DEFAULT_TIMEOUT;
        String keyFile = null;
        String certificates = null;
        boolean plaintext = false;
        for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String value = equals < 0 ? "" : decode(part.substring(equals + 1));
            switch (equals < 0 ? "" : part.substring(0, equals)) {
                case "timeout" -> timeout = timeout(value);
                case "auth-file" -> keyFile = path(value);
                case "ca" -> certificates = path(value);
                case "insecure-plaintext" -> plaintext = value.equals("true");
                // Does not quote the parameter: it may be a key.
                default ->
                    throw malformed(
                            "a parameter after the ? is not one of timeout, auth-file, ca and insecure-plaintext");
            }
        }
        return new ServerAddress(servers, timeout, keyFile, certificates, plaintext);
    }

    private static String decode(String text) {
        try {
            // A plus sign is one in a path, and not a blank.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed("a % is not followed by two hexadecimal digits");
        }
    }

    /** A relative path would mean another file in another directory. */
    private static String path(String text) {
        if (!text.startsWith("/")) {
            throw malformed("the path of auth-file or ca is not a whole one: write auth-file=/path/to/file");
        }
        return text;
    }

    private static Duration timeout(String text) {
        Duration timeout = UrlTimeout.parse(text);
        if (timeout == null) {
            throw malformed(UrlTimeout.FORM + "10s");
        }
        return timeout;
    }

    private static IllegalArgumentException malformed(String complaint) {
        return new IllegalArgumentException("the URL of the server is malformed: " + complaint + ". Write " + FORM);
    }
}
