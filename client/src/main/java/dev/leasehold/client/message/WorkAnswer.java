package dev.leasehold.client.message;

/**
 * @param outcome {@code claimed}, {@code done} (do not run it), or {@code accepted}
 * @param again true if the same step took effect before
 */
public record WorkAnswer(@Required String outcome, @Required boolean again, @Required WorkPart item) {}
