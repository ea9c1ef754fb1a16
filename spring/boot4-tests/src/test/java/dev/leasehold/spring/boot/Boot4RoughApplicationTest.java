package dev.leasehold.spring.boot;

/** The same accidents on Spring Boot 4. */
class Boot4RoughApplicationTest extends RoughApplicationTest {}
