package dev.leasehold.durableobjects;

import dev.leasehold.internal.UrlTimeout;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Worker and the name of a store in it.
 *
 * @param server https, unless the host is this one
 * @param timeout for each call with its repetitions
 * @param keyFile a file with the key to send; null for the environment's
 * @param certificates a file of PEM certificates to trust instead of the JDK's
 */
record DurableObjectsAddress(
        URI server, String store, Duration timeout, @Nullable String keyFile, @Nullable String certificates) {
    static final String SCHEME = "durable-objects";
    static final String VARIABLE = "LEASEHOLD_DURABLE_OBJECTS_KEY";

    private static final String FORM =
            SCHEME + "://leasehold.ACCOUNT.workers.dev/store-name[?timeout=5s&auth-file=/FILE&ca=/FILE.pem]";
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final Set<String> THIS_HOST = Set.of("localhost", "127.0.0.1", "[::1]");

    /** @throws IllegalArgumentException with the correct form, and without any part of the malformed URL */
    static DurableObjectsAddress parse(String url) {
        String start = SCHEME + "://";
        if (!url.regionMatches(true, 0, start, 0, start.length())) {
            throw malformed("it does not start with " + start);
        }
        int question = url.indexOf('?');
        String place = url.substring(start.length(), question < 0 ? url.length() : question);
        int slash = place.indexOf('/');
        String store = slash < 0 ? "" : place.substring(slash + 1);
        if (!isName(store)) {
            throw malformed("after the host there is no name of a store, of 1 to 100 letters, digits and . _ -");
        }
        URI server = server(place.substring(0, slash));
        Duration timeout = DEFAULT_TIMEOUT;
        String keyFile = null;
        String certificates = null;
        String query = question < 0 ? "" : url.substring(question + 1);
        for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String value = equals < 0 ? "" : decode(part.substring(equals + 1));
            switch (equals < 0 ? "" : part.substring(0, equals)) {
                case "timeout" -> timeout = timeout(value);
                case "auth-file" -> keyFile = value;
                case "ca" -> certificates = value;
                default ->
                    throw malformed("a parameter after the ? is not one of timeout, auth-file and ca. The key does not"
                            + " belong into the URL: it is in " + VARIABLE + ", or in a file that auth-file names");
            }
        }
        return new DurableObjectsAddress(server, store, timeout, keyFile, certificates);
    }

    private static boolean isName(String text) {
        boolean fits = !text.isEmpty() && text.length() <= 100;
        for (int i = 0; i < text.length() && fits; i++) {
            char c = text.charAt(i);
            fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._-".indexOf(c) >= 0;
        }
        return fits;
    }

    /** Without TLS, everybody on the way could read the key. */
    private static URI server(String authority) {
        try {
            URI server = new URI("https://" + authority);
            if (server.getHost() == null || server.getRawUserInfo() != null) {
                throw malformed("it names no host");
            }
            return THIS_HOST.contains(server.getHost()) ? new URI("http://" + authority) : server;
        } catch (URISyntaxException e) {
            throw malformed("the host is not a name or an address");
        }
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
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed("a % is not followed by two hexadecimal digits");
        }
    }

    private static IllegalArgumentException malformed(String complaint) {
        return new IllegalArgumentException("the URL of the store is malformed: " + complaint + ". Write " + FORM);
    }

    /**
     * The key to send.
     *
     * @throws IllegalArgumentException if there is none, or it cannot be one
     */
    String key(Map<String, String> environment) {
        String key = environment.get(VARIABLE);
        if (keyFile != null) {
            try {
                key = Files.readString(Path.of(keyFile));
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "the key of the Worker cannot be read from " + keyFile + ": " + e.getMessage(), e);
            }
        }
        String line = key == null ? "" : key.strip();
        if (line.isEmpty() || line.length() > 200 || line.chars().anyMatch(c -> c <= 0x20 || c >= 0x7f)) {
            throw new IllegalArgumentException("there is no key for the Worker in "
                    + (keyFile == null ? VARIABLE : keyFile)
                    + ": it is one line, the same as in 'wrangler secret put LEASEHOLD_KEY'");
        }
        return line;
    }

    /** The place without the key. */
    @Override
    public String toString() {
        return SCHEME + "://" + server.getRawAuthority() + "/" + store;
    }
}
