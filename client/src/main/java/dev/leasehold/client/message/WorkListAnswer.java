package dev.leasehold.client.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of work items, in the order of their keys.
 *
 * @param next the value of {@code after} for the next page; null on the last one
 * @param damaged what is wrong with the records that cannot be read; null if there are none
 */
public record WorkListAnswer(@Required List<WorkPart> items, @Nullable String next, @Nullable List<String> damaged) {}
