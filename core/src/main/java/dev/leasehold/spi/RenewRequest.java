package dev.leasehold.spi;

import dev.leasehold.model.Grant;
import java.time.Duration;

/** A grant to renew, to at least store time + ttl. */
public record RenewRequest(Grant grant, Duration ttl) {}
