/** Commands that show leases, and the interventions of operators. */
@NullMarked
package dev.leasehold.cli.operate;

import org.jspecify.annotations.NullMarked;
