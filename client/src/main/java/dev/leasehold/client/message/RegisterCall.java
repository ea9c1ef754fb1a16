package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/**
 * Sets or removes a value of the register; which of them, the path says.
 *
 * @param expected the version that the value must have; empty if it must not exist
 * @param value null to remove it
 */
public record RegisterCall(@Required String key, @Required String expected, @Nullable String value) {}
