package dev.leasehold.spi;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;

/**
 * Asks a store to remove the record of a name.
 *
 * @param seen the token that must still be current, so that a later owner is not forgotten
 */
public record ForgetRequest(LeaseName name, FencingToken seen) {}
