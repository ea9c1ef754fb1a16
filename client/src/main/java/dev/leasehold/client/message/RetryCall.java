package dev.leasehold.client.message;

/** An operator opens a work item again, so that the next run does it. */
public record RetryCall(@Required String name, @Required String key, @Required String reason) {}
