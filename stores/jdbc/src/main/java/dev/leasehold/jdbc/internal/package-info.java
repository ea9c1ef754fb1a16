/** Classes that a JDBC driver loads by name. Not part of the API. */
@NullMarked
package dev.leasehold.jdbc.internal;

import org.jspecify.annotations.NullMarked;
