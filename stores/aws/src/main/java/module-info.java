/** Stores and fences in S3 and in DynamoDB. */
module dev.leasehold.aws {
    requires static org.jspecify;
    requires transitive dev.leasehold;

    exports dev.leasehold.aws;

    provides dev.leasehold.spi.StoreProvider with
            dev.leasehold.aws.S3StoreProvider,
            dev.leasehold.aws.DynamoDbStoreProvider;
}
