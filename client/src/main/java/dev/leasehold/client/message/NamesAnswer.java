package dev.leasehold.client.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of names of leases, or of keys of the register, in order.
 *
 * @param next the value of {@code after} for the next page; null on the last one
 */
public record NamesAnswer(@Required List<String> names, @Nullable String next) {}
