/** The fence of a git remote, and the hook that enforces it on the server. */
module dev.leasehold.git {
    requires static org.jspecify;
    requires transitive dev.leasehold;

    exports dev.leasehold.git;
}
