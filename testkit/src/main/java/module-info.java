/** For tests: the contracts of stores, fences and ledgers, manual time, and stores that fail on demand. */
module dev.leasehold.testkit {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive dev.leasehold.work;
    requires transitive org.junit.jupiter.api;
    requires transitive org.assertj.core;

    exports dev.leasehold.testkit;
    exports dev.leasehold.testkit.environment;
    exports dev.leasehold.testkit.history;
    exports dev.leasehold.testkit.nemesis;

    // JUnit creates the test classes of a contract, also those that are not public.
    opens dev.leasehold.testkit;
    opens dev.leasehold.testkit.environment;
    opens dev.leasehold.testkit.history;
    opens dev.leasehold.testkit.nemesis;
}
