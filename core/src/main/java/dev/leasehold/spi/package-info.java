/**
 * The interfaces that store authors implement, and the sources of time and random numbers.
 *
 * <p>A store that can do each step in one atomic round trip implements {@link
 * dev.leasehold.spi.LeaseStore}. A store that can only read and compare-and-set implements {@link
 * dev.leasehold.spi.CasRegister}, and {@code dev.leasehold.store.CasLeaseStore} adds the rest.
 * Either is finished when it passes {@code LeaseStoreContract} against the real server.
 */
@NullMarked
package dev.leasehold.spi;

import org.jspecify.annotations.NullMarked;
