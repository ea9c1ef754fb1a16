/**
 * The Model Context Protocol, in its version 2026-07-28 without sessions and in the versions before
 * it that begin with {@code initialize}. {@link dev.leasehold.mcp.McpService} answers messages,
 * {@link dev.leasehold.mcp.McpStdio} and {@link dev.leasehold.mcp.McpHttp} connect it to clients.
 *
 * <p>The grant of a lease travels as a handle in the arguments of each call, so a connection
 * carries no authority. No text of an exception is sent to a client.
 */
@NullMarked
package dev.leasehold.mcp;

import org.jspecify.annotations.NullMarked;
