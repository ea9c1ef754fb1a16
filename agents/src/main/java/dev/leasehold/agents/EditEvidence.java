package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.FileEdit;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Whether an edit is in the file, as far as its text shows. Tools may change the blanks at the ends of lines. */
final class EditEvidence {
    private EditEvidence() {}

    static boolean isIn(byte @Nullable [] content, FileEdit file) {
        String whole = file.whole();
        if (content == null) {
            return whole == null && file.evidence().isEmpty();
        }
        if (whole == null && file.evidence().isEmpty()) {
            return true;
        }
        String text = plain(new String(content, StandardCharsets.UTF_8));
        if (whole != null && !text.equals(plain(whole))) {
            return false;
        }
        for (String part : file.evidence()) {
            if (!text.contains(plain(part))) {
                return false;
            }
        }
        return true;
    }

    /** Without the blanks at the ends of lines and of the text. */
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        int keep = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                plain.setLength(keep);
                plain.append(c);
                keep = plain.length();
            } else {
                plain.append(c);
                keep = c == ' ' || c == '\t' || c == '\r' ? keep : plain.length();
            }
        }
        plain.setLength(keep);
        return plain.toString().strip();
    }
}
