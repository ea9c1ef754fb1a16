package dev.leasehold.aws;

import dev.leasehold.internal.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs requests by AWS Signature Version 4.
 *
 * <p>A service refuses a signature whose time differs from its own by more than a quarter of an hour. The
 * signer therefore goes by the time that the service last told, and by this machine's time of day only
 * before the first answer. Safe for use by many threads.
 */
final class AwsSigner {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";

    private final AwsCredentials credentials;
    private final String region;
    private final String service;
    private volatile @Nullable Told told;

    /** The time that the service told, and the monotonic time at which it did. */
    private record Told(Instant time, long nanos) {}

    AwsSigner(AwsCredentials credentials, String region, String service) {
        this.credentials = credentials;
        this.region = region;
        this.service = service;
    }

    /** Goes by this time of the service from now on. */
    void learn(Instant time) {
        told = new Told(time, System.nanoTime());
    }

    /** The time of the service, as far as it is known. */
    Instant now() {
        Told known = told;
        return known == null
                ? Instant.ofEpochMilli(System.currentTimeMillis())
                : known.time.plusNanos(System.nanoTime() - known.nanos);
    }

    /**
     * The header of the signed request, with names in lower case.
     *
     * @param host the value of the header Host
     * @param path encoded
     * @param query encoded, its parameters in order; may be empty
     * @param header to be sent and signed, with names in lower case
     */
    Map<String, String> sign(
            String method, String host, String path, String query, Map<String, String> header, byte[] body) {
        LocalDateTime now = LocalDateTime.ofInstant(now(), ZoneOffset.UTC);
        String day = digits(now.getYear(), 4) + digits(now.getMonthValue(), 2) + digits(now.getDayOfMonth(), 2);
        String time =
                day + "T" + digits(now.getHour(), 2) + digits(now.getMinute(), 2) + digits(now.getSecond(), 2) + "Z";
        String digest = Sha256.hex(body);
        Map<String, String> signed = new TreeMap<>(header);
        signed.put("host", host);
        signed.put("x-amz-date", time);
        signed.put("x-amz-content-sha256", digest);
        if (credentials.session() != null) {
            signed.put("x-amz-security-token", credentials.session());
        }
        StringBuilder lines = new StringBuilder();
        signed.forEach(
                (name, value) -> lines.append(name).append(':').append(value).append('\n'));
        String names = String.join(";", signed.keySet());
        String request = method + "\n" + path + "\n" + query + "\n" + lines + "\n" + names + "\n" + digest;
        String scope = day + "/" + region + "/" + service + "/aws4_request";
        String text = ALGORITHM + "\n" + time + "\n" + scope + "\n" + Sha256.hex(bytes(request));
        signed.remove("host");
        signed.put(
                "authorization",
                ALGORITHM + " Credential=" + credentials.id() + "/" + scope + ", SignedHeaders=" + names
                        + ", Signature=" + HexFormat.of().formatHex(hmac(key(day), text)));
        return signed;
    }

    private byte[] key(String day) {
        byte[] key = hmac(bytes("AWS4" + credentials.secret()), day);
        return hmac(hmac(hmac(key, region), service), "aws4_request");
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC with SHA-256", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String digits(int number, int count) {
        String text = Integer.toString(number);
        return "0".repeat(Math.max(0, count - text.length())) + text;
    }
}
