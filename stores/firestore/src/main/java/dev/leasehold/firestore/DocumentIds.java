package dev.leasehold.firestore;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Ids of documents, which sort as the texts do for which they stand: a letter, and the bytes as digits. */
final class DocumentIds {
    private DocumentIds() {}

    static String encode(char kind, String text) {
        return kind + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sorts after the ids of all texts that start with this one, and before all others. */
    static String end(char kind, String text) {
        return encode(kind, text) + "g";
    }

    /** @throws IllegalArgumentException if the id stands for no text */
    static String decode(String id) {
        return new String(HexFormat.of().parseHex(id.substring(1)), StandardCharsets.UTF_8);
    }
}
