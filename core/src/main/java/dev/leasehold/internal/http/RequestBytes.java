package dev.leasehold.internal.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A whole HTTP/1.1 request as bytes, in one piece, so that a small one is one packet. */
public final class RequestBytes {
    private RequestBytes() {}

    /**
     * @param target the path and the query, encoded
     * @param header without Host and Content-Length, which are added
     */
    public static byte[] of(
            String method, URI server, String target, Map<String, String> header, byte @Nullable [] body) {
        StringBuilder head = new StringBuilder(method)
                .append(' ')
                .append(target)
                .append(" HTTP/1.1\r\nHost: ")
                .append(server.getRawAuthority())
                .append("\r\n");
        header.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (body != null) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        if (body == null) {
            return start;
        }
        byte[] whole = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        return whole;
    }
}
