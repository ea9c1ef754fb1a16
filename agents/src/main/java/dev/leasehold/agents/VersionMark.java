package dev.leasehold.agents;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Note;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The version of a file that its lease remembers, as the checkpoint of the lease. */
final class VersionMark {
    private static final String HASH = "sha256=";
    private static final String PATH = " path=";

    private VersionMark() {}

    static Checkpoint checkpoint(FilePlace place, String hash) {
        String text = HASH + hash + PATH + encode(place.path());
        return Checkpoint.of(text.length() <= Checkpoint.MAX_LENGTH ? text : HASH + hash);
    }

    static Note note(FilePlace place, String agent) {
        return Note.clipped(
                "edited by " + (agent.isEmpty() ? "the main agent" : "agent " + agent) + ": " + place.shown());
    }

    /** The path of the file; null if the record does not have it. */
    static @Nullable String path(LeaseRecord record) {
        String text = text(record);
        int at = text == null ? -1 : text.indexOf(PATH);
        return text == null || at < 0 ? null : decode(text.substring(at + PATH.length()));
    }

    private static @Nullable String text(LeaseRecord record) {
        LeaseRecord.Progress progress = record.progress();
        Checkpoint checkpoint = progress == null ? null : progress.checkpoint();
        return checkpoint == null ? null : checkpoint.value();
    }

    private static String encode(String path) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            if (b > 0x20 && b < 0x7f && b != '%') {
                encoded.append((char) b);
            } else {
                encoded.append('%')
                        .append(Character.forDigit((b >> 4) & 15, 16))
                        .append(Character.forDigit(b & 15, 16));
            }
        }
        return encoded.toString();
    }

    private static @Nullable String decode(String text) {
        byte[] bytes = new byte[text.length()];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            int value = text.charAt(i);
            if (value == '%') {
                if (i + 2 >= text.length()) {
                    return null;
                }
                value = Character.digit(text.charAt(i + 1), 16) * 16 + Character.digit(text.charAt(i + 2), 16);
                i += 2;
            }
            bytes[length] = (byte) value;
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
