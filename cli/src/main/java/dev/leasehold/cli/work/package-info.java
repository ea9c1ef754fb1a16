/** Work items that are completed once, and their effects. */
@NullMarked
package dev.leasehold.cli.work;

import org.jspecify.annotations.NullMarked;
