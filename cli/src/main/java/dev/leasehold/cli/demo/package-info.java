/** The accident, shown with and without the fence. */
@NullMarked
package dev.leasehold.cli.demo;

import org.jspecify.annotations.NullMarked;
