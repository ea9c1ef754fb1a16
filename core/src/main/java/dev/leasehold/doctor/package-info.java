/**
 * Examines a store as a user has it: its settings, its server, its network. It races real clients against each other under
 * scratch names and grades what it saw. That no fault was seen proves less than the reason why none can occur, so the grade
 * tells the two apart.
 */
@NullMarked
package dev.leasehold.doctor;

import org.jspecify.annotations.NullMarked;
