/** Small durable records in files, locked against other processes and other threads; shared by the file store and fenced files. */
@NullMarked
package dev.leasehold.internal.disk;

import org.jspecify.annotations.NullMarked;
