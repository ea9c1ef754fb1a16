package dev.leasehold.redis;

import dev.leasehold.internal.PasswordFile;
import dev.leasehold.internal.UrlTimeout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Redis server with its credentials. The text form omits user and password, so
 * that it can appear in any message.
 *
 * @param scheme as the user wrote it, in lower case: a user of Valkey looks for that in the configuration
 * @param certificates a file of PEM certificates to trust instead of the JDK's
 * @param timeout for connecting, and for each answer
 */
record RedisAddress(
        String scheme,
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        PasswordSource passwordSource,
        int database,
        String namespace,
        Duration timeout,
        @Nullable String certificates) {
    private static final List<String> SCHEMES = List.of("redis", "rediss", "valkey", "valkeys");

    static final String FORM =
            "redis://[[user]:password@]host[:port][/database][?ns=namespace&timeout=2s&ca=file.pem&password-file=/path]"
                    + " (rediss:// for TLS; valkey:// and valkeys:// are the same; write @ : / ? # & % in a password as %40 %3A %2F %3F %23 %26 %25)";

    private static final int DEFAULT_PORT = 6379;
    private static final int MAX_NAMESPACE_LENGTH = 64;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /**
     * @throws IllegalArgumentException with the correct form, and without any part of the malformed
     *     URL
     */
    static RedisAddress parse(String url) {
        return parse(url, System.getenv("REDISCLI_AUTH"));
    }

    /** @param ofEnvironment the password where the URL gives none, as redis-cli reads it */
    static RedisAddress parse(String url, @Nullable String ofEnvironment) {
        int slashes = url.indexOf("://");
        String scheme = url.substring(0, Math.max(0, slashes)).toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme)) {
            throw malformed("it does not start with redis:// or rediss://, nor with valkey:// or valkeys://");
        }
        String rest = url.substring(slashes + 3);
        if (rest.indexOf('#') >= 0) {
            throw malformed("it has a #");
        }
        int question = rest.indexOf('?');
        Parameters parameters = Parameters.parse(question < 0 ? "" : rest.substring(question + 1));
        String path = question < 0 ? rest : rest.substring(0, question);
        int slash = path.indexOf('/');
        String authority = slash < 0 ? path : path.substring(0, slash);
        int database = slash < 0 || slash == path.length() - 1
                ? 0
                : number(path.substring(slash + 1), 0, 1_000_000, "the database is not a number");
        return of(scheme, authority, database, parameters, ofEnvironment);
    }

    /** @param authority user, password, host and port */
    private static RedisAddress of(
            String scheme, String authority, int database, Parameters parameters, @Nullable String ofEnvironment) {
        int at = authority.lastIndexOf('@');
        String credentials = at < 0 ? "" : authority.substring(0, at);
        int colon = credentials.indexOf(':');
        String file = parameters.passwordFile;
        if (at >= 0 && colon < 0 && file == null) {
            throw malformed("there is no : before the password");
        }
        String name = colon < 0 ? credentials : credentials.substring(0, colon);
        String user = name.isEmpty() ? null : decode(name);
        String ofUrl = colon < 0 || colon == credentials.length() - 1 ? null : decode(credentials.substring(colon + 1));
        if (ofUrl != null && file != null) {
            throw malformed("it has both a password and password-file");
        }
        String elsewhere = file == null ? ofEnvironment : PasswordFile.read(Path.of(file));
        String password = ofUrl == null ? elsewhere : ofUrl;
        PasswordSource source =
                ofUrl != null ? PasswordSource.URL : file != null ? PasswordSource.FILE : PasswordSource.ENVIRONMENT;
        String hostAndPort = authority.substring(at + 1);
        int portColon = hostAndPort.endsWith("]") ? -1 : hostAndPort.lastIndexOf(':');
        String host = host(portColon < 0 ? hostAndPort : hostAndPort.substring(0, portColon));
        int port = portColon < 0
                ? DEFAULT_PORT
                : number(hostAndPort.substring(portColon + 1), 1, 65535, "the port is not one of 1 to 65535");
        return new RedisAddress(
                scheme,
                host,
                port,
                user,
                password,
                source,
                database,
                parameters.namespace,
                parameters.timeout,
                parameters.certificates);
    }

    private static String host(String text) {
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        String host = bracketed ? text.substring(1, text.length() - 1) : text;
        if (host.isEmpty()) {
            throw malformed("it names no host");
        }
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && ".-_".indexOf(c) < 0 && !(bracketed && (c == ':' || c == '%'))) {
                throw malformed("the host is not a name or an address");
            }
        }
        return host;
    }

    private static int number(String text, int min, int max, String complaint) {
        int value = 0;
        boolean fits = !text.isEmpty() && text.length() <= 7;
        for (int i = 0; i < text.length() && fits; i++) {
            fits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
            value = value * 10 + (text.charAt(i) - '0');
        }
        if (!fits || value < min || value > max) {
            throw malformed(complaint);
        }
        return value;
    }

    private static String decode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] decoded = new byte[bytes.length];
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                decoded[length++] = bytes[i];
                continue;
            }
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw malformed("a % is not followed by two hexadecimal digits");
            }
            decoded[length++] = (byte) (high * 16 + low);
            i += 2;
        }
        return new String(decoded, 0, length, StandardCharsets.UTF_8);
    }

    private static IllegalArgumentException malformed(String complaint) {
        return new IllegalArgumentException("the Redis URL is malformed: " + complaint + ". Write " + FORM);
    }

    /** Where a password comes from, for messages about it. */
    enum PasswordSource {
        URL("the URL; @ : / in a password are written as %40 %3A %2F", "Leave it out of the URL"),
        FILE("the user in the URL, or the password file that it names", "Leave password-file out of the URL"),
        ENVIRONMENT(
                "the user in the URL, or REDISCLI_AUTH in the environment",
                "It is in REDISCLI_AUTH, a variable of the environment: unset that for this program");

        private final String shown;
        private final String removal;

        PasswordSource(String shown, String removal) {
            this.shown = shown;
            this.removal = removal;
        }

        String shown() {
            return shown;
        }

        String removal() {
            return removal;
        }
    }

    /** The part after the question mark. */
    private record Parameters(
            String namespace, Duration timeout, @Nullable String certificates, @Nullable String passwordFile) {
        static Parameters parse(String query) {
            String namespace = "default";
            Duration timeout = DEFAULT_TIMEOUT;
            String certificates = null;
            String passwordFile = null;
            for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
                int equals = part.indexOf('=');
                String value = equals < 0 ? "" : decode(part.substring(equals + 1));
                switch (equals < 0 ? "" : part.substring(0, equals)) {
                    case "ns" -> namespace = namespace(value);
                    case "timeout" -> timeout = timeout(value);
                    case "ca" -> certificates = value;
                    case "password-file" -> passwordFile = absolute(value);
                    // Does not quote the parameter: after a question mark that was not written as
                    // %3F it may be part of a password.
                    default ->
                        throw malformed("a parameter after the ? is not one of ns, timeout, ca and password-file");
                }
            }
            return new Parameters(namespace, timeout, certificates, passwordFile);
        }

        /** A command that 'run' starts elsewhere gets the same URL. */
        private static String absolute(String file) {
            if (!file.startsWith("/")) {
                throw malformed("the password-file does not start with /");
            }
            return file;
        }

        private static String namespace(String text) {
            boolean fits = !text.isEmpty() && text.length() <= MAX_NAMESPACE_LENGTH;
            for (int i = 0; i < text.length() && fits; i++) {
                char c = text.charAt(i);
                fits = (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || "._-".indexOf(c) >= 0;
            }
            if (!fits) {
                throw malformed(
                        "a namespace (ns=) has 1 to " + MAX_NAMESPACE_LENGTH + " characters of A-Z a-z 0-9 . _ -");
            }
            return text;
        }

        private static Duration timeout(String text) {
            Duration timeout = UrlTimeout.parse(text);
            if (timeout == null) {
                throw malformed(UrlTimeout.FORM + "2s");
            }
            return timeout;
        }
    }

    boolean tls() {
        return scheme.equals("rediss") || scheme.equals("valkeys");
    }

    /** The scheme of the same server at a port without TLS. */
    String schemeWithoutTls() {
        return tls() ? scheme.substring(0, scheme.length() - 1) : scheme;
    }

    /** The server in a message, under the name that the user gave it. */
    String server() {
        return (scheme.startsWith("valkey") ? "Valkey at " : "Redis at ") + this;
    }

    /** The address without credentials. */
    @Override
    public String toString() {
        String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return scheme + "://" + shown + ":" + port + (database == 0 ? "" : "/" + database);
    }
}
