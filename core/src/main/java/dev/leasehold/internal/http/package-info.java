/** HTTP for small calls: in the caller's thread, on connections that are used again, without classes that are slow to load. */
@NullMarked
package dev.leasehold.internal.http;

import org.jspecify.annotations.NullMarked;
