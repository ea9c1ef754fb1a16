package dev.leasehold.aws;

import dev.leasehold.internal.UrlTimeout;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bucket or a table, and where it is.
 *
 * @param place the bucket or the table
 * @param path what follows it, without slashes at its ends; may be empty
 * @param endpoint the address of the service, without a path
 * @param ownEndpoint whether the endpoint is not one of AWS
 * @param timeout for each call with its repetitions
 * @param certificates a file of PEM certificates to trust instead of the JDK's
 * @param profile the profile that has the credentials; null for the environment's choice
 */
record AwsAddress(
        String place,
        String path,
        URI endpoint,
        boolean ownEndpoint,
        String region,
        Duration timeout,
        @Nullable String certificates,
        @Nullable String profile) {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final int MOST_PATH = 180;

    /** The two services, with the form of their URLs. */
    enum Service {
        S3("s3", "s3://bucket/prefix"),
        DYNAMODB("dynamodb", "dynamodb://table/namespace");

        private final String word;
        private final String form;

        Service(String word, String form) {
            this.word = word;
            this.form = form;
        }

        String word() {
            return word;
        }
    }

    /**
     * @param environment the variables of this process
     * @throws IllegalArgumentException with the correct form
     */
    static AwsAddress parse(Service service, String url, Map<String, String> environment) {
        String start = service.word + "://";
        if (!url.regionMatches(true, 0, start, 0, start.length())) {
            throw malformed(service, "it does not start with " + start);
        }
        int question = url.indexOf('?');
        String place = url.substring(start.length(), question < 0 ? url.length() : question);
        int slash = place.indexOf('/');
        String name = slash < 0 ? place : place.substring(0, slash);
        String path = slash < 0 ? "" : strip(place.substring(slash + 1));
        if (name.length() < 3 || name.length() > 255 || !isPlain(name, "._-")) {
            throw malformed(service, "it has no name of 3 to 255 letters, digits and . _ - before the first slash");
        }
        if (path.length() > MOST_PATH || !isPlain(path, "._-/")) {
            throw malformed(
                    service, "what follows the name is not up to " + MOST_PATH + " letters, digits and . _ - /");
        }
        return withParameters(service, name, path, question < 0 ? "" : url.substring(question + 1), environment);
    }

    private static String strip(String path) {
        String stripped = path;
        while (stripped.startsWith("/")) {
            stripped = stripped.substring(1);
        }
        while (stripped.endsWith("/")) {
            stripped = stripped.substring(0, stripped.length() - 1);
        }
        return stripped;
    }

    private static boolean isPlain(String text, String others) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && others.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    private static AwsAddress withParameters(
            Service service, String name, String path, String query, Map<String, String> environment) {
        String endpoint = environment.getOrDefault(
                "AWS_ENDPOINT_URL_" + service.word.toUpperCase(Locale.ROOT), environment.get("AWS_ENDPOINT_URL"));
        String region = null;
        Duration timeout = DEFAULT_TIMEOUT;
        String certificates = null;
        String profile = null;
        for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String value = equals < 0 ? "" : decode(service, part.substring(equals + 1));
            switch (equals < 0 ? "" : part.substring(0, equals)) {
                case "endpoint" -> endpoint = value;
                case "region" -> region = value;
                case "timeout" -> timeout = timeout(service, value);
                case "ca" -> certificates = value;
                case "profile" -> profile = value;
                // Does not quote the parameter, which may be a secret in the wrong place.
                default ->
                    throw malformed(
                            service,
                            "a parameter after the ? is not one of endpoint, region, timeout, ca and profile."
                                    + " Credentials do not belong into the URL");
            }
        }
        boolean own = endpoint != null && !endpoint.isBlank();
        String where = region == null ? AwsCredentials.region(environment, profile) : region;
        if (where == null && !own) {
            throw malformed(service, "no region is known: add ?region=eu-central-1 or set AWS_REGION");
        }
        String sure = where == null ? "us-east-1" : where;
        if (sure.isEmpty() || !isPlain(sure, "-")) {
            throw malformed(service, "the region is not a name such as eu-central-1");
        }
        URI base = endpoint(service, own ? String.valueOf(endpoint) : domain(service, sure));
        return new AwsAddress(name, path, base, own, sure, timeout, certificates, profile);
    }

    private static String domain(Service service, String region) {
        return "https://" + service.word + "." + region + ".amazonaws.com" + (region.startsWith("cn-") ? ".cn" : "");
    }

    private static URI endpoint(Service service, String text) {
        try {
            URI endpoint = new URI(text);
            String scheme = String.valueOf(endpoint.getScheme());
            String path = String.valueOf(endpoint.getRawPath());
            if ((scheme.equals("http") || scheme.equals("https"))
                    && endpoint.getHost() != null
                    && endpoint.getRawUserInfo() == null
                    && endpoint.getRawQuery() == null
                    && (path.isEmpty() || path.equals("/"))) {
                return new URI(scheme + "://" + endpoint.getRawAuthority());
            }
        } catch (URISyntaxException e) {
            // Reported below.
        }
        throw malformed(service, "the endpoint is not http://host:port or https://host:port");
    }

    private static Duration timeout(Service service, String text) {
        Duration timeout = UrlTimeout.parse(text);
        if (timeout == null) {
            throw malformed(service, UrlTimeout.FORM + "5s");
        }
        return timeout;
    }

    private static String decode(Service service, String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed(service, "a % is not followed by two hexadecimal digits");
        }
    }

    private static IllegalArgumentException malformed(Service service, String complaint) {
        return new IllegalArgumentException("the URL of the store is malformed: " + complaint + ". Write "
                + service.form + "[?region=eu-central-1&endpoint=https://host&timeout=5s&ca=file.pem&profile=name]");
    }
}
