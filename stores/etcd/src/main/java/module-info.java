/** The store and the fence in etcd. */
module dev.leasehold.etcd {
    requires static org.jspecify;
    requires transitive dev.leasehold;

    exports dev.leasehold.etcd;

    provides dev.leasehold.spi.StoreProvider with
            dev.leasehold.etcd.EtcdStoreProvider;
}
