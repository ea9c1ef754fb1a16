/** Work that is completed once: keys, checkpoints, completion and effects. */
module dev.leasehold.work {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive java.net.http;

    exports dev.leasehold.work;
}
