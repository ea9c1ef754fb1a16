package dev.leasehold.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The files of the page at {@code /}. They say nothing about leases: the page asks the API like any
 * other client, with the key of the person who looks.
 */
final class PageFiles {
    private static final String FOLDER = "page/";

    /**
     * Nothing but the files of this server runs, nothing is sent elsewhere, no other page shows this one
     * in a frame, and no text can become markup.
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    /**
     * A file of the page, as the answers to those who ask for it.
     *
     * @param tag changes with the content, so that a browser asks without getting the file again
     */
    private record PageFile(String tag, Answer plain, Answer compressed, Answer unchanged) {
        Answer to(Reply reply) {
            return has(reply, HttpHeader.IF_NONE_MATCH, tag)
                    ? unchanged
                    : has(reply, HttpHeader.ACCEPT_ENCODING, "gzip") ? compressed : plain;
        }
    }

    void addTo(Routes routes) {
        for (String name : text("files.txt").split("\n", -1)) {
            if (!name.isBlank()) {
                PageFile file = read(name.strip());
                Call call = (request, reply) -> reply.send(file.to(reply));
                routes.file(name.strip().equals("index.html") ? "/" : "/page/" + name.strip(), call);
            }
        }
    }

    private static boolean has(Reply reply, HttpHeader header, String value) {
        return reply.request().getHeaders().getCSV(header, true).contains(value);
    }

    private static PageFile read(String name) {
        byte[] content = bytes(name);
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalStateException("the page has a file of an unknown kind: " + name);
        }
        String tag = "\"" + digest(content) + "\"";
        Map<String, String> headers = Map.of(
                HttpHeader.CACHE_CONTROL.asString(),
                "no-cache",
                HttpHeader.ETAG.asString(),
                tag,
                HttpHeader.VARY.asString(),
                "Accept-Encoding",
                "Content-Security-Policy",
                POLICY,
                "Cross-Origin-Opener-Policy",
                "same-origin",
                "Cross-Origin-Resource-Policy",
                "same-origin",
                "Referrer-Policy",
                "no-referrer");
        Map<String, String> gzip = new HashMap<>(headers);
        gzip.put(HttpHeader.CONTENT_ENCODING.asString(), "gzip");
        return new PageFile(
                tag,
                Answer.file(200, type, content, headers),
                Answer.file(200, type, compressed(content), gzip),
                Answer.file(304, "", new byte[0], headers));
    }

    private static byte[] compressed(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static String digest(byte[] content) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(content);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(whole).substring(0, 22);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String name) {
        try (InputStream in = PageFiles.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException(FOLDER + name + " is missing from the program");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
