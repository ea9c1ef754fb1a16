package dev.leasehold.client.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store behind a server.
 *
 * @param atomicBecause why each step is atomic, as half a sentence
 * @param warnings settings that could make it lose an acknowledged token
 * @param floor the highest token of all forgotten names; left out by a server that forgets none
 */
public record StoreAnswer(
        @Required String id, @Nullable String atomicBecause, @Required List<String> warnings, @Nullable Long floor) {}
