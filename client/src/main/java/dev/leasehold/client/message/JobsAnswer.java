package dev.leasehold.client.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in the order of their names.
 *
 * @param damaged what is wrong with the records that cannot be read; null if there are none
 */
public record JobsAnswer(@Required List<JobPart> jobs, @Nullable List<String> damaged) {}
