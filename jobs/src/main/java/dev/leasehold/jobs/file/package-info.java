/**
 * The job file: jobs that run commands, written by people. Every mistake in it is told with its line and its field, all of
 * them at once.
 */
@NullMarked
package dev.leasehold.jobs.file;

import org.jspecify.annotations.NullMarked;
