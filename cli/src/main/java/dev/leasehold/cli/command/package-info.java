/** What every command is given and gives back. */
@NullMarked
package dev.leasehold.cli.command;

import org.jspecify.annotations.NullMarked;
