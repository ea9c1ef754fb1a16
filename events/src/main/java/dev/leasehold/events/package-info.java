/** What happened in a store: the log of runs, and the events that every client can follow. */
@NullMarked
package dev.leasehold.events;

import org.jspecify.annotations.NullMarked;
