/** A server that offers a store over HTTP. */
module dev.leasehold.server {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires dev.leasehold.agents;
    requires dev.leasehold.client;
    requires dev.leasehold.work;
    requires dev.leasehold.events;
    requires dev.leasehold.jobs;
    requires dev.leasehold.mcp;
    requires dev.leasehold.metrics;
    // For the metrics of memory, threads and collections, which an automatic module cannot require.
    requires java.management;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires org.eclipse.jetty.server;
    requires tools.jackson.databind;

    exports dev.leasehold.server;
}
