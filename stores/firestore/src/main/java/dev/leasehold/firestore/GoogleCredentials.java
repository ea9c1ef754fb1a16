package dev.leasehold.firestore;

import dev.leasehold.internal.JsonReader;
import dev.leasehold.internal.JsonWriter;
import dev.leasehold.internal.http.HttpConnection.Reply;
import dev.leasehold.internal.http.HttpService;
import dev.leasehold.internal.http.HttpService.Repeat;
import dev.leasehold.internal.http.RequestBytes;
import dev.leasehold.model.StoreUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tokens from the places where other programs for Google Cloud look: a token in the environment, the key file of
 * a service account, or the metadata server of the machine. Safe for use by many threads.
 */
final class GoogleCredentials implements AccessTokens {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String SCOPE = "https://www.googleapis.com/auth/datastore";
    private static final String METADATA = "/computeMetadata/v1/instance/service-accounts/default/token";

    /** A token is replaced some minutes before it is over. */
    private static final long RESERVE_SECONDS = 300;

    private final HttpService service;
    private final @Nullable Map<String, @Nullable Object> account;
    private @Nullable String token;
    private long until;

    private GoogleCredentials(HttpService service, @Nullable Map<String, @Nullable Object> account) {
        this.service = service;
        this.account = account;
    }

    static AccessTokens find(Map<String, String> environment) {
        String given = environment.get("GOOGLE_OAUTH_ACCESS_TOKEN");
        if (given != null && !given.isBlank()) {
            String line = given.strip();
            if (line.chars().anyMatch(c -> c <= 0x20 || c >= 0x7f)) {
                throw new IllegalArgumentException("GOOGLE_OAUTH_ACCESS_TOKEN has a blank or a control character: set"
                        + " it as 'gcloud auth print-access-token' prints it");
            }
            return () -> line;
        }
        String file = environment.get("GOOGLE_APPLICATION_CREDENTIALS");
        if (file != null && !file.isBlank()) {
            Map<String, @Nullable Object> account = account(Path.of(file));
            URI server = URI.create(text(account, "token_uri"));
            return new GoogleCredentials(new HttpService("the token server " + server, server, TIMEOUT, null), account);
        }
        String host = environment.getOrDefault("GCE_METADATA_HOST", "metadata.google.internal");
        HttpService metadata = new HttpService(
                "the metadata server of this machine (there is no GOOGLE_APPLICATION_CREDENTIALS)",
                URI.create("http://" + host),
                TIMEOUT,
                null);
        return new GoogleCredentials(metadata, null);
    }

    private static Map<String, @Nullable Object> account(Path file) {
        try {
            Map<String, @Nullable Object> account = JsonReader.object(Files.readString(file));
            if (!"service_account".equals(account.get("type"))) {
                throw new IllegalArgumentException("it is not of a service account; for your own account set"
                        + " GOOGLE_OAUTH_ACCESS_TOKEN to what 'gcloud auth print-access-token' prints");
            }
            key(account);
            return account;
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the credentials in the file that GOOGLE_APPLICATION_CREDENTIALS names cannot be used: "
                            + e.getMessage(),
                    e);
        }
    }

    private static String text(Map<String, @Nullable Object> from, String field) {
        if (from.get(field) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("the field " + field + " is missing");
    }

    @Override
    public synchronized String get() {
        String known = token;
        if (known != null && System.nanoTime() - until < 0) {
            return known;
        }
        long asked = System.nanoTime();
        Reply reply = service.call(() -> account == null ? metadataRequest() : exchange(account), Repeat.SAFE);
        try {
            Map<String, @Nullable Object> answer = JsonReader.object(new String(reply.body(), StandardCharsets.UTF_8));
            String fresh = text(answer, "access_token");
            long seconds = Long.parseLong(String.valueOf(answer.get("expires_in")));
            until = asked
                    + Duration.ofSeconds(Math.max(0, seconds - RESERVE_SECONDS)).toNanos();
            token = fresh;
            return fresh;
        } catch (IllegalArgumentException e) {
            throw new StoreUnavailableException(
                    service.name() + " gives no token (status " + reply.status()
                            + "); nothing was changed. Is the account still there, and this machine's clock right?",
                    e);
        }
    }

    private byte[] metadataRequest() {
        return RequestBytes.of("GET", service.server(), METADATA, Map.of("Metadata-Flavor", "Google"), null);
    }

    /** A request for a token, signed with the key of the account (RFC 7523). */
    private byte[] exchange(Map<String, @Nullable Object> from) {
        long now = System.currentTimeMillis() / 1000;
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", text(from, "client_email"));
        claims.put("scope", SCOPE);
        claims.put("aud", text(from, "token_uri"));
        claims.put("iat", now);
        claims.put("exp", now + 3600);
        String signed =
                base64(JsonWriter.line(Map.of("alg", "RS256", "typ", "JWT")).getBytes(StandardCharsets.UTF_8))
                        + "."
                        + base64(JsonWriter.line(claims).getBytes(StandardCharsets.UTF_8));
        String body = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + signed + "."
                + base64(signature(key(from), signed));
        URI server = service.server();
        return RequestBytes.of(
                "POST",
                server,
                server.getRawPath().isEmpty() ? "/" : server.getRawPath(),
                Map.of("Content-Type", "application/x-www-form-urlencoded"),
                body.getBytes(StandardCharsets.UTF_8));
    }

    private static PrivateKey key(Map<String, @Nullable Object> account) {
        StringBuilder base64 = new StringBuilder();
        for (String line : text(account, "private_key").split("\n", -1)) {
            base64.append(line.startsWith("-----") ? "" : line.strip());
        }
        try {
            return KeyFactory.getInstance("RSA")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64.toString())));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // Without the cause, whose message could contain a part of the key.
            throw new IllegalArgumentException("the field private_key is not a key");
        }
    }

    private static byte[] signature(PrivateKey key, String text) {
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(text.getBytes(StandardCharsets.UTF_8));
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK signs with RSA and SHA-256", e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
