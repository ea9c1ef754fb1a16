package dev.leasehold.client.message;

import dev.leasehold.spi.CasRegister;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value of the register.
 *
 * @param value null if the key does not exist
 * @param version empty if the key does not exist
 * @param at the store time of this answer
 */
public record RegisterAnswer(
        @Required String key, @Nullable String value, @Required String version, @Required Instant at) {
    public static RegisterAnswer of(String key, CasRegister.Reading reading) {
        return new RegisterAnswer(key, reading.value().orElse(null), reading.version(), reading.at());
    }

    public CasRegister.Reading toReading() {
        return new CasRegister.Reading(Optional.ofNullable(value), version, at);
    }
}
