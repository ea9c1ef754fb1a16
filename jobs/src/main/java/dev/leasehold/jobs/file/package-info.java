/**
 * The job file: jobs that run commands, written by people. All mistakes are reported at once, each
 * with its line and field.
 */
@NullMarked
package dev.leasehold.jobs.file;

import org.jspecify.annotations.NullMarked;
