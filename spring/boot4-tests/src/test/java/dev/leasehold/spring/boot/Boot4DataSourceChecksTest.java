package dev.leasehold.spring.boot;

/** The same data sources are refused on Spring Boot 4. */
class Boot4DataSourceChecksTest extends DataSourceChecksTest {}
