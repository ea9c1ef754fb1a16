/** The store and the fence in Cloudflare Durable Objects. */
module dev.leasehold.durableobjects {
    requires static org.jspecify;
    requires transitive dev.leasehold;

    exports dev.leasehold.durableobjects;

    provides dev.leasehold.spi.StoreProvider with
            dev.leasehold.durableobjects.DurableObjectsStoreProvider;
}
