/**
 * The messages that client and server exchange, as JSON. {@code http.md} in the documentation
 * describes them for users, {@code openapi.json} for programs.
 *
 * <p>A name that ends in {@code Call} is the body of a request, and one that ends in {@code Answer}
 * the body of a reply. Components that may be null are left out of the JSON.
 */
@NullMarked
package dev.leasehold.client.message;

import org.jspecify.annotations.NullMarked;
