package dev.leasehold.client.message;

import java.time.Instant;

/**
 * What became of a request to run a job now.
 *
 * @param slot the slot that the run has, under which its outcome is listed
 * @param again whether the request had been recorded before
 * @param state asked, queued, running, the word of the outcome, or ended if that is no longer kept
 */
public record StartAnswer(
        @Required String name,
        @Required Instant slot,
        @Required String attempt,
        @Required boolean again,
        @Required String state) {}
