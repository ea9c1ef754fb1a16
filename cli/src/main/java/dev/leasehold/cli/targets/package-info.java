/** Writes that the target itself checks: files, directories, logs, programs, git remotes. */
@NullMarked
package dev.leasehold.cli.targets;

import org.jspecify.annotations.NullMarked;
