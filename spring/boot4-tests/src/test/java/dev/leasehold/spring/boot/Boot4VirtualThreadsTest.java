package dev.leasehold.spring.boot;

/** Virtual threads on Spring Boot 4. */
class Boot4VirtualThreadsTest extends VirtualThreadsTest {}
