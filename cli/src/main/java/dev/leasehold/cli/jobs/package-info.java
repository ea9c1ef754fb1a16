/** Commands that run jobs on a schedule, on one of several machines. */
@NullMarked
package dev.leasehold.cli.jobs;

import org.jspecify.annotations.NullMarked;
