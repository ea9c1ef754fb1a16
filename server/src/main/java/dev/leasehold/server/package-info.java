/**
 * A server that offers a store over HTTP, for programs that are not Java. It keeps nothing itself:
 * several servers of one store are equal, and each of them may die at any moment.
 *
 * <p>Reading a request and writing an answer never hold a thread. Calls to the store do, on a small
 * number of threads of their own, so that a store that hangs does not take the whole server with it.
 */
@NullMarked
package dev.leasehold.server;

import org.jspecify.annotations.NullMarked;
