/**
 * Leases and fences in Firestore, over its REST interface. Every change is one commit with the condition that
 * the document does not exist, or was not changed since. The clock is the time that Firestore sends with every
 * read.
 */
@NullMarked
package dev.leasehold.firestore;

import org.jspecify.annotations.NullMarked;
