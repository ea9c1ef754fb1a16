/**
 * Leases and fences in S3 and compatible services, and in DynamoDB.
 *
 * <p>In S3 a value is a series of objects with rising numbers. Every change creates the next object, under
 * the condition that it does not exist, so one of two racing writers wins. No object is ever overwritten.
 * The clock is the Date that the service sends with its answers.
 *
 * <p>In DynamoDB a value is an item with a random version, and every change is one conditional write. There
 * is no clock, so leases are judged by observed time.
 */
@NullMarked
package dev.leasehold.aws;

import org.jspecify.annotations.NullMarked;
