/** The output for users and scripts: safe lines, aligned tables, JSON. */
@NullMarked
package dev.leasehold.cli.output;

import org.jspecify.annotations.NullMarked;
