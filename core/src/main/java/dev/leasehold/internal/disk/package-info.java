/**
 * Small durable records in files, locked against other processes and threads; used by the file
 * store and by fenced files.
 */
@NullMarked
package dev.leasehold.internal.disk;

import org.jspecify.annotations.NullMarked;
