/**
 * Commands that write targets: files, directories, logs, programs in place, git remotes. The target
 * checks the token.
 */
@NullMarked
package dev.leasehold.cli.targets;

import org.jspecify.annotations.NullMarked;
