/**
 * Examines a store in the environment of the user: its settings, its server, its network. Real
 * clients race against each other under scratch names. A reason why no fault can occur proves more
 * than the absence of faults in a test, so the grade distinguishes the two.
 */
@NullMarked
package dev.leasehold.doctor;

import org.jspecify.annotations.NullMarked;
