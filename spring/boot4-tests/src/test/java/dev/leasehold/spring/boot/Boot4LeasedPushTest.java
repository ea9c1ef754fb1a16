package dev.leasehold.spring.boot;

/** The same pushes on Spring Boot 4. */
class Boot4LeasedPushTest extends LeasedPushTest {}
