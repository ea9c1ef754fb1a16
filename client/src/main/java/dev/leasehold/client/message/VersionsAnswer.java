package dev.leasehold.client.message;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of keys of the register with their versions, in order.
 *
 * @param next the value of {@code after} for the next page; null on the last one
 */
public record VersionsAnswer(@Required Map<String, String> versions, @Nullable String next) {}
