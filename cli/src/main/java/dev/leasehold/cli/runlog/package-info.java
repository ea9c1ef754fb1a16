/** The log of runs on this machine, and advice from it. */
@NullMarked
package dev.leasehold.cli.runlog;

import org.jspecify.annotations.NullMarked;
