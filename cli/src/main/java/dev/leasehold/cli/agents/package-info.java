/** Commands for coding agents: the hook that they call, its installation, and tools. */
@NullMarked
package dev.leasehold.cli.agents;

import org.jspecify.annotations.NullMarked;
