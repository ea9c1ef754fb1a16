package dev.leasehold.client.message;

/** @param changed false if nothing was changed, because the version was another one */
public record ChangeAnswer(@Required boolean changed) {}
