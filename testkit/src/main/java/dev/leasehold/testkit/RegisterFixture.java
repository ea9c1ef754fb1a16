package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.CasRegister;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/** Clients, keys and assertions for the tests of a register. Every test uses new keys. */
abstract class RegisterFixture {
    private final String unique = UUID.randomUUID().toString();
    CasRegister register;

    /**
     * Opens a client of the register under test. Further calls in one test open further clients of
     * the <em>same</em> register.
     */
    protected abstract CasRegister openRegister();

    @BeforeEach
    void openFirstClient() {
        register = openRegister();
    }

    String key(String subject) {
        return subject + "-" + unique;
    }

    String valueOf(String key) {
        return register.read(key).value().orElseThrow(() -> new AssertionError("no value under " + key));
    }

    /** Writes the value and returns the new version. */
    String write(String key, String expected, String value) {
        assertThat(register.compareAndSet(key, expected, value))
                .as("write of '%s'", key)
                .isTrue();
        return register.read(key).version();
    }
}
