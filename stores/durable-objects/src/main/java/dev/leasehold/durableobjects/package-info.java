/**
 * Leases and fences in Cloudflare Durable Objects. The Worker, {@code worker.js}, is a resource of this
 * package. One object keeps one store; it handles one call at a time and has a clock of its own.
 */
@NullMarked
package dev.leasehold.durableobjects;

import org.jspecify.annotations.NullMarked;
