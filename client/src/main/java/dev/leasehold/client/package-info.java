/**
 * Leases of a Leasehold server. {@link dev.leasehold.client.HttpLeaseStore} is a store like any
 * other, so that every program that can use a database can use a server instead.
 */
@NullMarked
package dev.leasehold.client;

import org.jspecify.annotations.NullMarked;
