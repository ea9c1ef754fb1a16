package dev.leasehold.client.message;

import org.jspecify.annotations.Nullable;

/** Pauses or resumes a job; which of them, the path says. */
public record PauseCall(@Required String name, @Required String reason, @Nullable String holder) {}
