/**
 * The syntax of the command line. Each command declares its options once; the parser, the help, the
 * suggestions and the shell completions derive from that.
 *
 * <p>No library is used because start-up time matters: the program wraps every run of a cron job.
 * Nothing between the start and the command uses reflection, regular expressions or formatting.
 */
@NullMarked
package dev.leasehold.cli.args;

import org.jspecify.annotations.NullMarked;
