/** The starter for Spring Boot: leased methods and fenced transactions. */
module dev.leasehold.spring.boot {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive dev.leasehold.work;
    requires transitive dev.leasehold.jdbc;
    requires transitive dev.leasehold.spring.tx;
    requires dev.leasehold.metrics;
    requires transitive spring.boot;
    requires transitive spring.boot.autoconfigure;
    requires transitive spring.context;
    requires transitive spring.core;
    requires spring.aop;
    requires spring.beans;
    requires spring.expression;
    requires spring.tx;
    // What the application may or may not have.
    requires static dev.leasehold.redis;
    requires static micrometer.core;
    requires static spring.boot.actuator;
    requires static spring.boot.actuator.autoconfigure;
    requires static spring.boot.health;
    requires static spring.data.redis;

    exports dev.leasehold.spring;

    // Spring reads the configuration by reflection; nobody else needs it.
    opens dev.leasehold.spring.boot;
}
