package dev.leasehold.work;

/** Checks that a text can be stored and read back unchanged by every store. */
final class StoredText {
    private StoredText() {}

    static void require(String what, String value, int maxBytes) {
        long bytes = 0;
        for (int i = 0; i < value.length(); ) {
            int point = value.codePointAt(i);
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(
                        what + " has half a character at position " + (i + 1) + ": it cannot be stored");
            }
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            i += Character.charCount(point);
        }
        if (bytes > maxBytes) {
            throw new IllegalArgumentException(what + " is too large: " + bytes + " bytes, at most " + maxBytes
                    + " are allowed; store it elsewhere and keep a reference to it here");
        }
    }
}
