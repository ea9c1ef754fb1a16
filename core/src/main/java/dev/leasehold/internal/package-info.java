/** The engine's own parts, shared between packages; nothing here is for users, and any of it may change. */
@NullMarked
package dev.leasehold.internal;

import org.jspecify.annotations.NullMarked;
