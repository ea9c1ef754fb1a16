package dev.leasehold.client.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of work items, in the order of their keys.
 *
 * @param next the value of {@code after} for the next page; null on the last one
 */
public record WorkListAnswer(@Required List<WorkPart> items, @Nullable String next) {}
