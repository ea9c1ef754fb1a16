package dev.leasehold.client.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of leases, in the order of their names.
 *
 * @param next the value of {@code after} for the next page; null on the last one
 */
public record LeasesAnswer(@Required List<LeaseAnswer> leases, @Nullable String next) {}
