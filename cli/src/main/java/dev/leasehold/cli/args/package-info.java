/**
 * What a command line may look like: a small table of options for each command, from which the parser, the help, the
 * suggestions and the shell completions all derive.
 *
 * <p>It is our own because starting up is the product: a wrapper around every cron job may not take longer to read its
 * options than to do its work. So nothing here uses reflection, regular expressions or formatting on the way to a command.
 */
@NullMarked
package dev.leasehold.cli.args;

import org.jspecify.annotations.NullMarked;
