/** An example: a Spring Boot application whose stale transactions cannot commit. */
package dev.leasehold.example;
