/** Leases with fencing tokens, the built-in stores, and the fences of files, directories and logs. */
module dev.leasehold {
    requires static org.jspecify;
    // Only calls under a lease need it, and who makes them has it.
    requires static java.net.http;

    exports dev.leasehold;
    exports dev.leasehold.model;
    exports dev.leasehold.spi;
    exports dev.leasehold.fence;
    exports dev.leasehold.http;
    exports dev.leasehold.store;
    exports dev.leasehold.doctor;
    exports dev.leasehold.internal to
            dev.leasehold.work,
            dev.leasehold.git,
            dev.leasehold.agents,
            dev.leasehold.jobs,
            dev.leasehold.events,
            dev.leasehold.metrics,
            dev.leasehold.jdbc,
            dev.leasehold.redis,
            dev.leasehold.etcd,
            dev.leasehold.nats,
            dev.leasehold.zookeeper,
            dev.leasehold.aws,
            dev.leasehold.durableobjects,
            dev.leasehold.firestore,
            dev.leasehold.client,
            dev.leasehold.mcp,
            dev.leasehold.server,
            dev.leasehold.shedlock;
    exports dev.leasehold.internal.http to
            dev.leasehold.jdbc,
            dev.leasehold.etcd,
            dev.leasehold.nats,
            dev.leasehold.zookeeper,
            dev.leasehold.aws,
            dev.leasehold.durableobjects,
            dev.leasehold.firestore,
            dev.leasehold.client;
    exports dev.leasehold.internal.turns to
            dev.leasehold.jdbc,
            dev.leasehold.redis;
    exports dev.leasehold.internal.disk to
            dev.leasehold.work,
            dev.leasehold.git;

    uses dev.leasehold.spi.StoreProvider;
}
