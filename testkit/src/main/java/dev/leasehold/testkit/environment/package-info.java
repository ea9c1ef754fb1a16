/**
 * What tests need of the machine they run on: programs, libraries and rights.
 * {@link dev.leasehold.testkit.environment.Requires} names them.
 */
@NullMarked
package dev.leasehold.testkit.environment;

import org.jspecify.annotations.NullMarked;
