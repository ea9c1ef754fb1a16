/** The store that a Leasehold server offers over HTTP. */
module dev.leasehold.client {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires com.fasterxml.jackson.annotation;
    requires tools.jackson.databind;

    exports dev.leasehold.client;
    exports dev.leasehold.client.message to
            dev.leasehold.server,
            tools.jackson.databind;

    provides dev.leasehold.spi.StoreProvider with
            dev.leasehold.client.HttpStoreProvider;
}
