package dev.leasehold.client.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the fences that the server keeps, in the order of their resources.
 *
 * @param next the value of {@code after} for the next page; null on the last one
 */
public record FencesAnswer(@Required List<FencePart> fences, @Nullable String next) {}
