/** The hook that coding agents call before and after each tool call. */
module dev.leasehold.agents {
    requires static org.jspecify;
    requires transitive dev.leasehold;

    exports dev.leasehold.agents;
}
