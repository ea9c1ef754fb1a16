package dev.leasehold.client.message;

/** @param again true if the same write was admitted before */
public record FenceAnswer(@Required FencePart fence, @Required boolean again) {}
