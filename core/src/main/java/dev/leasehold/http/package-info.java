/**
 * Calls to a service of your own that are made under a lease. The caller sends its grant in a header,
 * and the service refuses a grant that is older than one it has seen.
 *
 * <p>The module {@code servlet} has the filter for the service. This package needs only the JDK, so
 * a caller that has a {@link dev.leasehold.Lease} needs no other library.
 */
@NullMarked
package dev.leasehold.http;

import org.jspecify.annotations.NullMarked;
