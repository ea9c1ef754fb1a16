/** Schedules: jobs that run at their times, on whichever machine is there. */
@NullMarked
package dev.leasehold.cli.jobs;

import org.jspecify.annotations.NullMarked;
