package dev.leasehold.client.message;

import java.util.List;

/** Jobs in the order of their names. */
public record JobsAnswer(@Required List<JobPart> jobs) {}
