package dev.leasehold.testkit.nemesis;

/** A fault that the nemesis injects into a holder or the server of the store. */
enum FaultKind {
    /** SIGSTOP between read and write, SIGCONT when another holder has written. */
    FREEZE(false),
    /** SIGSTOP at any time, SIGCONT after more than the ttl. */
    FREEZE_ANYWHERE(false),
    /** SIGKILL, and a new process in its place. */
    KILL(false),
    /** Its wall clock jumps, ahead or back, by up to a day. */
    CLOCK_JUMP(false),
    /** Its connections are reset, and new ones refused. */
    REFUSE(true),
    /** Its connections are reset; new ones work. */
    RESET(true),
    /** Its requests are dropped. */
    SWALLOW_REQUESTS(true),
    /** Its requests arrive and take effect; the answers are dropped. */
    SWALLOW_REPLIES(true),
    /** SIGKILL to the server, which then starts again with its durable data. */
    SERVER_RESTART(true);

    private final boolean needsServer;

    FaultKind(boolean needsServer) {
        this.needsServer = needsServer;
    }

    boolean needsServer() {
        return needsServer;
    }
}
