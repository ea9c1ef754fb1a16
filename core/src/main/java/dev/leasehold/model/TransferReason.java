package dev.leasehold.model;

import java.util.Locale;

/** Why the ownership of a name changed. */
public enum TransferReason {
    /** The name was never held before, or was forgotten. */
    FIRST,
    /** The previous owner gave it back. */
    RELEASED,
    /** The previous owner's deadline passed. */
    EXPIRED,
    /** An operator or supervisor took it from a holder whose deadline had not passed. */
    TAKEOVER,
    /** An operator ended the holder's ownership and left the name free. */
    CANCELLED,
    /** An operator lifted the token after the store had lost records. */
    RECOVERED;

    private static final TransferReason[] ALL = values();

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word that people and scripts see. */
    public String word() {
        return word;
    }

    public static TransferReason ofWord(String word) {
        for (TransferReason reason : ALL) {
            if (reason.word.equals(word)) {
                return reason;
            }
        }
        throw new IllegalArgumentException("unknown transfer reason");
    }
}
