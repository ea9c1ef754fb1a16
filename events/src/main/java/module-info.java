/** What happened in a store, as events. */
module dev.leasehold.events {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive dev.leasehold.jobs;

    exports dev.leasehold.events;
}
