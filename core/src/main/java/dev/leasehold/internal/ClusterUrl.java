package dev.leasehold.internal;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a store that has several members: {@code scheme://[user:password@]host[:port][,host2[:port]]/path[?...]}. The
 * scheme with an s at its end is the one for TLS. The text form omits user and password, so that it can appear in any
 * message.
 *
 * @param hosts {@code host:port} of each member, at least one
 * @param path after the first slash, without one at its end; empty if there is none
 * @param timeout for each call
 * @param certificates a file of PEM certificates to trust instead of the JDK's; null without one
 */
public record ClusterUrl(
        Form form,
        boolean tls,
        List<String> hosts,
        @Nullable String user,
        @Nullable String password,
        String path,
        Duration timeout,
        @Nullable String certificates) {
    /**
     * How the URLs of one kind of store look.
     *
     * @param product what users call it
     * @param shape of the path and an example of a timeout, for messages: {@code /bucket[?timeout=3s]}
     */
    public record Form(String product, String scheme, int port, Duration timeout, String shape) {
        /** The whole form, for messages. */
        public String text() {
            return scheme + "://[user:password@]host[:port][,host2[:port]]" + shape + " (" + scheme
                    + "s:// for TLS, with ?ca=file.pem for your own authority; ?password-file=/path keeps the password out of the"
                    + " URL; write @ : / ? # & % in a password as %40 %3A %2F %3F %23 %26 %25)";
        }

        /** Shows the correct form, and no part of the malformed URL. */
        public IllegalArgumentException malformed(String complaint) {
            return new IllegalArgumentException(
                    "the " + product + " URL is malformed: " + complaint + ". Write " + text());
        }
    }

    /** What stands after the question mark. */
    private record Options(Duration timeout, @Nullable String certificates, @Nullable String passwordFile) {}

    /**
     * Reads the password file, if the URL names one.
     *
     * @throws IllegalArgumentException with the correct form, and without any part of the malformed URL
     */
    public static ClusterUrl parse(Form form, String url) {
        String secure = form.scheme + "s://";
        boolean tls = url.regionMatches(true, 0, secure, 0, secure.length());
        if (!tls && !url.regionMatches(true, 0, form.scheme + "://", 0, form.scheme.length() + 3)) {
            throw form.malformed("it does not start with " + form.scheme + ":// or " + secure);
        }
        String rest = url.substring(tls ? secure.length() : form.scheme.length() + 3);
        if (rest.indexOf('#') >= 0) {
            throw form.malformed("it has a #");
        }
        int question = rest.indexOf('?');
        Options options = options(form, tls, question < 0 ? "" : rest.substring(question + 1));
        String place = question < 0 ? rest : rest.substring(0, question);
        int slash = place.indexOf('/');
        String path = slash < 0 ? "" : place.substring(slash + 1);
        String authority = slash < 0 ? place : place.substring(0, slash);
        int at = authority.indexOf('@');
        if (at != authority.lastIndexOf('@')) {
            throw form.malformed("it has more than one @: user and password stand once, before the first host");
        }
        String credentials = at < 0 ? "" : authority.substring(0, at);
        int colon = credentials.indexOf(':');
        String user = at < 0 ? null : decode(form, colon < 0 ? credentials : credentials.substring(0, colon));
        String password = colon < 0 ? null : decode(form, credentials.substring(colon + 1));
        return new ClusterUrl(
                form,
                tls,
                hosts(form, authority.substring(at + 1)),
                user,
                password(form, user, password, options.passwordFile),
                path.endsWith("/") ? path.substring(0, path.length() - 1) : path,
                options.timeout,
                options.certificates);
    }

    private static @Nullable String password(
            Form form, @Nullable String user, @Nullable String password, @Nullable String file) {
        if (user != null && user.isEmpty()) {
            throw form.malformed("a user belongs before the @");
        }
        if (user == null ? file != null : (password == null) == (file == null)) {
            throw form.malformed("user and password belong together: write user:password@, or user@ and password-file");
        }
        return file == null ? password : PasswordFile.read(Path.of(file));
    }

    private static Options options(Form form, boolean tls, String query) {
        Duration timeout = form.timeout;
        String certificates = null;
        String passwordFile = null;
        for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            if (part.startsWith("timeout=")) {
                timeout = UrlTimeout.parse(part.substring(8));
                if (timeout == null) {
                    throw form.malformed(UrlTimeout.FORM + form.timeout.toSeconds() + "s");
                }
            } else if (part.startsWith("ca=") && tls) {
                certificates = decode(form, part.substring(3));
            } else if (part.startsWith("password-file=")) {
                passwordFile = decode(form, part.substring(14));
                if (!passwordFile.startsWith("/")) {
                    throw form.malformed("the password-file does not start with /");
                }
            } else {
                throw form.malformed("a parameter after the ? is not one of timeout, password-file and, with "
                        + form.scheme + "s://, ca");
            }
        }
        return new Options(timeout, certificates, passwordFile);
    }

    private static List<String> hosts(Form form, String text) {
        List<String> hosts = new ArrayList<>();
        for (String host : text.split(",", -1)) {
            int port;
            try {
                URI server = URI.create("http://" + host);
                // A port that is empty is no port to URI, and the default one would be written after the colon.
                boolean bad = server.getHost() == null || server.getPort() > 65535 || host.endsWith(":");
                port = bad ? 0 : server.getPort();
            } catch (IllegalArgumentException e) {
                port = 0;
            }
            if (port == 0) {
                throw form.malformed("a host is not a name or an address with a port");
            }
            hosts.add(port > 0 ? host : host + ":" + form.port);
        }
        return List.copyOf(hosts);
    }

    private static String decode(Form form, String text) {
        try {
            // The decoder would take a plus for a blank.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw form.malformed("a % is not followed by two hexadecimal digits");
        }
    }

    /** The path, which must have 1 to {@code most} of the characters A-Z a-z 0-9 and of the given ones. */
    public String requirePath(String what, int most, String more) {
        boolean fits = !path.isEmpty() && path.length() <= most;
        for (int i = 0; i < path.length() && fits; i++) {
            char c = path.charAt(i);
            fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || more.indexOf(c) >= 0;
        }
        if (!fits) {
            throw form.malformed(what + ", after the hosts, has 1 to " + most + " characters of A-Z a-z 0-9 "
                    + String.join(" ", more.split("")));
        }
        return path;
    }

    /**
     * Why no member was found, to be asked after a failure: the libraries of some stores do not tell. Null if the name
     * service knows one of them.
     */
    public @Nullable String unknownHosts() {
        return SystemNameService.unknown(hosts.stream()
                .map(host -> URI.create("http://" + host).getHost())
                .toList());
    }

    @Override
    public String toString() {
        return form.scheme + (tls ? "s://" : "://") + String.join(",", hosts) + "/" + path;
    }
}
