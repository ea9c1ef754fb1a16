/** Commands that acquire, renew and release leases, above all {@code run}. */
@NullMarked
package dev.leasehold.cli.run;

import org.jspecify.annotations.NullMarked;
