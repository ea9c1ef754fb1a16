package dev.leasehold.store;

import dev.leasehold.spi.CasRegister;
import java.nio.charset.StandardCharsets;

/** The limits of every register, checked before anything is touched. */
public final class RegisterRules {
    private RegisterRules() {}

    public static void requireKey(String key) {
        if (key.isEmpty() || key.length() > CasRegister.MAX_KEY_LENGTH) {
            throw new IllegalArgumentException(
                    "register key has " + key.length() + " characters: it needs 1 to " + CasRegister.MAX_KEY_LENGTH);
        }
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) < 0x20 || key.charAt(i) > 0x7e) {
                throw new IllegalArgumentException("register key is not printable ASCII");
            }
        }
    }

    public static void requireValue(String value) {
        if (value.getBytes(StandardCharsets.UTF_8).length > CasRegister.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "value is too large: at most " + CasRegister.MAX_VALUE_BYTES + " bytes are kept under one key");
        }
    }
}
