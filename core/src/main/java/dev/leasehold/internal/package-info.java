/** Parts that our packages and modules share. Not for users; anything here may change. */
@NullMarked
package dev.leasehold.internal;

import org.jspecify.annotations.NullMarked;
