/** Running a command under a lease, and leases taken by hand. */
@NullMarked
package dev.leasehold.cli.run;

import org.jspecify.annotations.NullMarked;
