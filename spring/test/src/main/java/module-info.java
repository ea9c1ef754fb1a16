/** For tests of Spring applications with leases. */
module dev.leasehold.spring.test {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive dev.leasehold.spring.boot;
    requires transitive dev.leasehold.testkit;
    requires transitive org.junit.jupiter.api;
    requires spring.beans;
    requires spring.context;
    requires spring.test;
    requires spring.tx;

    exports dev.leasehold.spring.test;

    opens dev.leasehold.spring.test;
}
