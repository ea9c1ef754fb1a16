/** Leases, fenced files and work items as tools of the Model Context Protocol. */
module dev.leasehold.mcp {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires dev.leasehold.work;
    requires dev.leasehold.events;

    exports dev.leasehold.mcp;
}
