/**
 * What store authors implement, and where time and chance come from.
 *
 * <p>A store that can do each step natively in one round trip implements {@link dev.leasehold.spi.LeaseStore}. One that can
 * only read and compare-and-set implements {@link dev.leasehold.spi.CasRegister} and gets the rest from {@code
 * dev.leasehold.store.CasLeaseStore}. Either is done when it passes {@code LeaseStoreContract} against the real server.
 */
@NullMarked
package dev.leasehold.spi;

import org.jspecify.annotations.NullMarked;
