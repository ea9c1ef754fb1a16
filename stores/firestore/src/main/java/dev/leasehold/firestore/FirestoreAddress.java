package dev.leasehold.firestore;

import dev.leasehold.internal.UrlTimeout;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A collection of a database of a project.
 *
 * @param server the address of the service, without a path
 * @param emulator whether that is an emulator, which wants no credentials
 * @param timeout for each call with its repetitions
 * @param certificates a file of PEM certificates to trust instead of the JDK's
 */
record FirestoreAddress(
        String project,
        String database,
        String collection,
        URI server,
        boolean emulator,
        Duration timeout,
        @Nullable String certificates) {
    static final String SCHEME = "firestore";

    private static final String FORM =
            SCHEME + "://project/collection[?database=name&timeout=5s&emulator=host:port&ca=/FILE.pem]";
    private static final String SERVICE = "https://firestore.googleapis.com";
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /**
     * @param environment the variables of this process
     * @throws IllegalArgumentException with the correct form, and without any part of the malformed URL
     */
    static FirestoreAddress parse(String url, Map<String, String> environment) {
        String start = SCHEME + "://";
        if (!url.regionMatches(true, 0, start, 0, start.length())) {
            throw malformed("it does not start with " + start);
        }
        int question = url.indexOf('?');
        String place = url.substring(start.length(), question < 0 ? url.length() : question);
        int slash = place.indexOf('/');
        String project = slash < 0 ? place : place.substring(0, slash);
        String collection = slash < 0 ? "" : place.substring(slash + 1);
        if (!isName(project, "-.:") || !isName(collection, "-_")) {
            throw malformed("it has no project and no collection of letters, digits and - _");
        }
        String database = "(default)";
        Duration timeout = DEFAULT_TIMEOUT;
        String emulator = environment.get("FIRESTORE_EMULATOR_HOST");
        String certificates = null;
        String query = question < 0 ? "" : url.substring(question + 1);
        for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String value = equals < 0 ? "" : decode(part.substring(equals + 1));
            switch (equals < 0 ? "" : part.substring(0, equals)) {
                case "database" -> database = database(value);
                case "timeout" -> timeout = timeout(value);
                case "emulator" -> emulator = value;
                case "ca" -> certificates = value;
                default ->
                    throw malformed("a parameter after the ? is not one of database, timeout, emulator and ca."
                            + " Credentials do not belong into the URL");
            }
        }
        boolean emulated = emulator != null && !emulator.isBlank();
        URI server = server(emulated ? "http://" + emulator : SERVICE);
        return new FirestoreAddress(project, database, collection, server, emulated, timeout, certificates);
    }

    private static boolean isName(String text, String others) {
        boolean fits = !text.isEmpty() && text.length() <= 200 && !text.startsWith("__");
        for (int i = 0; i < text.length() && fits; i++) {
            char c = text.charAt(i);
            fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || others.indexOf(c) >= 0;
        }
        return fits;
    }

    private static String database(String text) {
        if (!text.equals("(default)") && !isName(text, "-")) {
            throw malformed("the database is not a name of letters, digits and -");
        }
        return text;
    }

    private static URI server(String text) {
        try {
            URI server = new URI(text);
            if (server.getHost() != null
                    && server.getRawUserInfo() == null
                    && server.getRawPath().isEmpty()) {
                return server;
            }
        } catch (URISyntaxException e) {
            // Reported below.
        }
        throw malformed("the emulator is not host:port");
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

    /** The name of all documents of the database. */
    String documents() {
        return "projects/" + project + "/databases/" + database + "/documents";
    }

    /** The name of one document. */
    String document(String id) {
        return documents() + "/" + collection + "/" + id;
    }

    @Override
    public String toString() {
        return SCHEME + "://" + project + "/" + collection
                + (database.equals("(default)") ? "" : "?database=" + database);
    }
}
