package dev.leasehold.aws;

import dev.leasehold.internal.http.HttpConnection.Reply;
import dev.leasehold.internal.http.HttpService;
import dev.leasehold.internal.http.HttpService.Repeat;
import dev.leasehold.model.StoreUnavailableException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The five operations of S3 that Leasehold uses: list, read, create if absent, describe and delete. Safe for
 * use by many threads.
 */
public final class S3Client implements AutoCloseable {
    private static final byte[] NOTHING = new byte[0];
    private static final int MOST_CONFLICTS = 5;

    private final AwsAddress address;
    private final AwsService service;
    private final AwsSigner signer;
    private final String root;

    private S3Client(AwsAddress address, HttpService http, AwsSigner signer, String root) {
        this.address = address;
        this.service = new AwsService(http, signer);
        this.signer = signer;
        this.root = root;
    }

    /** An object in a list. */
    record Entry(String name, long size, Instant modified) {}

    /** One page of a list, in the order of names. */
    record Page(List<Entry> entries, boolean isLast, Instant at) {}

    /** The content of an object and its metadata, without the prefix of their names. */
    @SuppressWarnings("ArrayRecordComponent")
    record Content(byte[] body, Map<String, String> metadata, Instant at) {}

    /** Whether an object was created, or existed. */
    record Creation(boolean created, Instant at) {}

    /**
     * Opens a client of a bucket. It reads the credentials from the environment or a profile.
     *
     * @param url as that of a store: {@code s3://bucket/prefix?region=...}
     */
    public static S3Client connect(String url) {
        return connect(url, System.getenv());
    }

    static S3Client connect(String url, Map<String, String> environment) {
        AwsAddress address = AwsAddress.parse(AwsAddress.Service.S3, url, environment);
        AwsCredentials credentials = AwsCredentials.find(environment, address.profile());
        // AWS wants the bucket in the host, where no certificate matches a bucket with a dot.
        boolean inHost = !address.ownEndpoint() && address.place().indexOf('.') < 0;
        URI server = inHost
                ? URI.create(
                        "https://" + address.place() + "." + address.endpoint().getRawAuthority())
                : address.endpoint();
        HttpService http =
                new HttpService("S3 at " + address.endpoint(), server, address.timeout(), address.certificates());
        AwsSigner signer = new AwsSigner(credentials, address.region(), "s3");
        return new S3Client(address, http, signer, inHost ? "/" : "/" + address.place() + "/");
    }

    AwsSigner signer() {
        return signer;
    }

    /** The prefix of the URL with a slash, or nothing. */
    String prefix() {
        return address.path().isEmpty() ? "" : address.path() + "/";
    }

    String bucket() {
        return address.place();
    }

    /** @param after only names that sort after it; null for all */
    Page list(String prefix, @Nullable String after, int most) {
        StringBuilder query = new StringBuilder("list-type=2&max-keys=").append(most);
        query.append("&prefix=").append(encoded(prefix, false));
        if (after != null) {
            query.append("&start-after=").append(encoded(after, false));
        }
        String path = root.length() == 1 ? root : root.substring(0, root.length() - 1);
        Reply reply = call("GET", path, query.toString(), Map.of(), NOTHING, Repeat.SAFE);
        requireSuccess(reply, "list objects");
        return parsed(new String(reply.body(), StandardCharsets.UTF_8), service.date(reply));
    }

    private Page parsed(String xml, Instant at) {
        List<Entry> entries = new ArrayList<>();
        try {
            for (String part : XmlText.elements(xml, "Contents")) {
                entries.add(new Entry(
                        XmlText.require(part, "Key"),
                        Long.parseLong(XmlText.require(part, "Size")),
                        Instant.parse(XmlText.require(part, "LastModified"))));
            }
            boolean more = XmlText.require(xml, "IsTruncated").equals("true");
            return new Page(entries, !more, at);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw service.unavailable("answered with something that is no list of objects (" + e.getMessage()
                    + "): is the endpoint correct?");
        }
    }

    /** Null if there is no such object. */
    @Nullable
    Content get(String name) {
        return content("GET", name);
    }

    /** The metadata without the body. Null if there is no such object. */
    @Nullable
    Content head(String name) {
        return content("HEAD", name);
    }

    private @Nullable Content content(String method, String name) {
        Reply reply = call(method, root + encoded(name, true), "", Map.of(), NOTHING, Repeat.SAFE);
        if (reply.status() == 404 && !code(reply).equals("NoSuchBucket")) {
            return null;
        }
        requireSuccess(reply, "read an object");
        Map<String, String> metadata = new HashMap<>();
        for (String key : S3FenceObject.METADATA) {
            String value = reply.header(S3FenceObject.PREFIX + key);
            if (value != null) {
                metadata.put(key, value);
            }
        }
        return new Content(reply.body(), metadata, service.date(reply));
    }

    /**
     * Creates an object that does not exist, in one step.
     *
     * @throws StoreUnavailableException if it is unknown whether it was created
     */
    Creation create(String name, byte[] body, Map<String, String> metadata) {
        Map<String, String> header = new TreeMap<>();
        header.put("if-none-match", "*");
        metadata.forEach((key, value) -> header.put(S3FenceObject.PREFIX + key, value));
        for (int tries = 1; ; tries++) {
            Reply reply = call("PUT", root + encoded(name, true), "", header, body, Repeat.NEVER);
            if (reply.status() == 412) {
                return new Creation(false, service.date(reply));
            }
            // Another request for the same name was under way. Nothing was written by this one.
            if (reply.status() == 409 && tries < MOST_CONFLICTS) {
                continue;
            }
            requireSuccess(reply, "create an object");
            return new Creation(true, service.date(reply));
        }
    }

    /** Deletes objects, at most 1,000. */
    void delete(List<String> names) {
        StringBuilder xml = new StringBuilder("<Delete><Quiet>true</Quiet>");
        names.forEach(name -> xml.append("<Object><Key>").append(name).append("</Key></Object>"));
        byte[] body = xml.append("</Delete>").toString().getBytes(StandardCharsets.UTF_8);
        Map<String, String> header =
                Map.of("content-md5", Base64.getEncoder().encodeToString(md5(body)), "content-type", "application/xml");
        String path = root.length() == 1 ? root : root.substring(0, root.length() - 1);
        requireSuccess(call("POST", path, "delete=", header, body, Repeat.SAFE), "delete objects");
    }

    private Reply call(
            String method, String path, String query, Map<String, String> header, byte[] body, Repeat repeat) {
        return service.send(new AwsService.Call(method, path, query, header, body), repeat);
    }

    private void requireSuccess(Reply reply, String what) {
        if (reply.status() < 200 || reply.status() > 299) {
            throw S3Failures.of(service, address, reply.status(), code(reply), what);
        }
    }

    private static String code(Reply reply) {
        String code = XmlText.find(new String(reply.body(), StandardCharsets.UTF_8), "Code");
        return code == null ? "" : code;
    }

    /** By the rules of signatures: letters, digits and {@code -._~} stay as they are. */
    private static String encoded(String text, boolean isPath) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (plain || "-._~".indexOf(c) >= 0 || (isPath && c == '/')) {
                encoded.append(c);
            } else {
                encoded.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return encoded.toString();
    }

    /** Against damage on the way; the protocol of S3 asks for it. */
    private static byte[] md5(byte[] body) {
        try {
            return MessageDigest.getInstance("MD5").digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }

    @Override
    public void close() {
        service.close();
    }
}
