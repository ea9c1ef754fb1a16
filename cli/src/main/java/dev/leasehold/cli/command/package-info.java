/** What all commands share: the invocation, common options, exit codes. */
@NullMarked
package dev.leasehold.cli.command;

import org.jspecify.annotations.NullMarked;
