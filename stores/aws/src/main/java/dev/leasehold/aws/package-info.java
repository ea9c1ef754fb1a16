/**
 * Leases and fences in S3 and compatible services.
 *
 * <p>In S3 a value is a series of objects with rising numbers. Every change creates the next object, under
 * the condition that it does not exist, so one of two racing writers wins. No object is ever overwritten.
 * The clock is the Date that the service sends with its answers.
 */
@NullMarked
package dev.leasehold.aws;

import org.jspecify.annotations.NullMarked;
