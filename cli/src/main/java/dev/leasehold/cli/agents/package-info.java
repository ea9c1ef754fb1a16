/** The hook that coding agents call, and its installation. */
@NullMarked
package dev.leasehold.cli.agents;

import org.jspecify.annotations.NullMarked;
