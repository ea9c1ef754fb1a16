/** The log of runs on this machine, and advice from it. */
@NullMarked
package dev.leasehold.cli.runs;

import org.jspecify.annotations.NullMarked;
