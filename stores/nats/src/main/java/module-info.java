/** The store in NATS. */
module dev.leasehold.nats {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires io.nats.jnats;

    exports dev.leasehold.nats;

    provides dev.leasehold.spi.StoreProvider with
            dev.leasehold.nats.NatsStoreProvider;
}
