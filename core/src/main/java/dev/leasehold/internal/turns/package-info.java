/** Whose turn it is to ask, among the waiters of a process and among processes that wait for the same name. */
@NullMarked
package dev.leasehold.internal.turns;

import org.jspecify.annotations.NullMarked;
