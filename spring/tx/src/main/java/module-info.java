/** Spring transactions that cannot commit under a lease that has been superseded. */
module dev.leasehold.spring.tx {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive dev.leasehold.jdbc;
    requires transitive spring.tx;
    requires transitive spring.beans;
    requires transitive spring.core;
    requires spring.aop;
    // Only an application that has a database needs it.
    requires static spring.jdbc;

    exports dev.leasehold.spring.tx;
}
