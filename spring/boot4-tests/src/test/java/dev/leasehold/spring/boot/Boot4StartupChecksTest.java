package dev.leasehold.spring.boot;

/** The same mistakes are refused on Spring Boot 4. */
class Boot4StartupChecksTest extends StartupChecksTest {}
