/**
 * Side-by-side measurements, as ratios of one run on one machine. Not published, not part of the
 * tests.
 */
@NullMarked
package dev.leasehold.bench;

import org.jspecify.annotations.NullMarked;
