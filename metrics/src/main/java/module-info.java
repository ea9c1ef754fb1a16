/** Metrics of leases, jobs and stores, for Micrometer. */
module dev.leasehold.metrics {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive dev.leasehold.jobs;
    requires transitive micrometer.core;

    exports dev.leasehold.metrics;
}
