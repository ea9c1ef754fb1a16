/** Small calls over HTTP on the caller's thread, for the stores that are behind HTTP. */
@NullMarked
package dev.leasehold.internal.http;

import org.jspecify.annotations.NullMarked;
