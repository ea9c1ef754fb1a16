/** What users and scripts see: lines that are safe for a terminal, aligned tables, JSON. */
@NullMarked
package dev.leasehold.cli.output;

import org.jspecify.annotations.NullMarked;
