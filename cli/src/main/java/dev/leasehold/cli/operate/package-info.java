/** Looking at leases, and stepping in. */
@NullMarked
package dev.leasehold.cli.operate;

import org.jspecify.annotations.NullMarked;
