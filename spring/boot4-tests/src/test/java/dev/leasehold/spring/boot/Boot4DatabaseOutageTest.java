package dev.leasehold.spring.boot;

/** The same outages on Spring Boot 4. */
class Boot4DatabaseOutageTest extends DatabaseOutageTest {}
