/** The store and the fence in Firestore. */
module dev.leasehold.firestore {
    requires static org.jspecify;
    requires transitive dev.leasehold;

    exports dev.leasehold.firestore;

    provides dev.leasehold.spi.StoreProvider with
            dev.leasehold.firestore.FirestoreStoreProvider;
}
