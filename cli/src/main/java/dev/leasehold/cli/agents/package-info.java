/** Commands for coding agents. */
@NullMarked
package dev.leasehold.cli.agents;

import org.jspecify.annotations.NullMarked;
