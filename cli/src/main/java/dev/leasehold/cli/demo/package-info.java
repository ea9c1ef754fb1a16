/** The demo: a late write, with and without a fence. */
@NullMarked
package dev.leasehold.cli.demo;

import org.jspecify.annotations.NullMarked;
