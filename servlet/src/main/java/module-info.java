/** A servlet filter that refuses calls with a stale grant. */
module dev.leasehold.servlet {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive jakarta.servlet;

    exports dev.leasehold.servlet;
}
