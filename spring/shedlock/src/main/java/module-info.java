/** A ShedLock provider whose locks are leases with fencing tokens. */
module dev.leasehold.shedlock {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive net.javacrumbs.shedlock.core;
    requires org.slf4j;
    // Only an application whose transactions are to be fenced has it.
    requires static dev.leasehold.spring.tx;

    exports dev.leasehold.shedlock;
}
