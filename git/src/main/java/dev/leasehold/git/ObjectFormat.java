package dev.leasehold.git;

import dev.leasehold.internal.disk.Disk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Reads and writes git's loose objects: a header and the content, deflated, named by the digest of
 * both. Writing the two objects of a fence here saves every push two git processes.
 */
enum ObjectFormat {
    SHA1("sha1", "SHA-1"),
    SHA256("sha256", "SHA-256");

    private final String word;
    private final String algorithm;

    ObjectFormat(String word, String algorithm) {
        this.word = word;
        this.algorithm = algorithm;
    }

    static ObjectFormat of(String word) {
        for (ObjectFormat format : values()) {
            if (format.word.equals(word)) {
                return format;
            }
        }
        throw new IllegalArgumentException("git's object format " + word + " is not known to this version");
    }

    String word() {
        return word;
    }

    /** Writes an object below {@code objects} and returns its id. */
    String write(Path objects, String type, String text) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        byte[] header = (type + " " + content.length + "\0").getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream object = new ByteArrayOutputStream(header.length + content.length);
        object.write(header);
        object.write(content);
        String id = digest(object.toByteArray());
        Path file = fileOf(objects, id);
        if (!Disk.exists(file)) {
            Files.createDirectories(file.resolveSibling("."));
            try (DeflaterOutputStream out = new DeflaterOutputStream(Files.newOutputStream(file))) {
                object.writeTo(out);
            }
        }
        return id;
    }

    /** Reads the content of a loose object below {@code objects}. */
    static String read(Path objects, String id) throws IOException {
        try (InputStream in = new InflaterInputStream(Files.newInputStream(fileOf(objects, id)))) {
            String object = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return object.substring(object.indexOf('\0') + 1);
        }
    }

    private static Path fileOf(Path objects, String id) {
        return objects.resolve(id.substring(0, 2)).resolve(id.substring(2));
    }

    /** Git names objects by SHA-1 or SHA-256, as the repository says. */
    private String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }
}
