package dev.leasehold.testkit.nemesis;

/** What a nemesis does to holders and to the store's server. */
enum FaultKind {
    /** SIGSTOP between read and write, SIGCONT when somebody else has written. */
    FREEZE(false),
    /** SIGSTOP wherever it is, SIGCONT after more than the ttl. */
    FREEZE_ANYWHERE(false),
    /** SIGKILL, and a new process in its place. */
    KILL(false),
    /** Its wall clock jumps, ahead or back, by up to a day. */
    CLOCK_JUMP(false),
    /** Its connections are reset, and new ones refused. */
    REFUSE(true),
    /** Its connections are reset; new ones work. */
    RESET(true),
    /** What it sends goes nowhere. */
    SWALLOW_REQUESTS(true),
    /** What it sends arrives and takes effect; the answers go nowhere. */
    SWALLOW_REPLIES(true),
    /** SIGKILL to the server, which starts again with what it had kept. */
    SERVER_RESTART(true);

    private final boolean needsServer;

    FaultKind(boolean needsServer) {
        this.needsServer = needsServer;
    }

    boolean needsServer() {
        return needsServer;
    }
}
