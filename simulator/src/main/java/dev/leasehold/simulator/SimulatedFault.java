package dev.leasehold.simulator;

/** The faults. Each simulation draws which of these happen in it, and how often. */
public enum SimulatedFault {
    PAUSE("a process pauses at any point"),
    CRASH("a process crashes at any point, and another one starts"),
    LOST_REQUEST("a request is lost"),
    LOST_REPLY("a request is carried out and its reply is lost"),
    DUPLICATE("a request arrives twice"),
    DELAY("a message is delayed, and others overtake it"),
    CLOCK_JUMP("a host's wall clock is set forward or back"),
    CLOCK_RATE("clocks run at different rates"),
    SLEEP("a laptop sleeps: its processes and its monotonic clock stop"),
    STORE_RESTART("the store is unavailable for a while"),
    STORE_CLOCK_BACK("the store's clock is set back"),
    STORE_FAILOVER("the store loses its latest writes"),
    STORE_RESTORE("the store is restored from a backup"),
    TAKEOVER("an operator takes the lease over"),
    CANCEL("an operator cancels the lease"),
    DISK_FULL("the target's disk is full"),
    POWER_CUT("the target's machine loses power, and data not synced to its disk is lost or torn"),
    NO_THREAD("no thread can be started for a while"),
    LISTENER_THROWS("a listener throws an exception or an error"),
    WORK_THROWS("the work of a slot throws an error"),
    LEASES_AWAY("the store does not answer about leases for a while, and answers everything else"),
    ORDERLY_STOP("a machine is shut down cleanly and started again"),
    FORGET("an operator forgets the name, if it is free");

    private final String meaning;

    SimulatedFault(String meaning) {
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }

    /**
     * Whether the fault is drawn after all others, and more rarely, so that a seed from before this
     * fault existed keeps its scenario and its other faults.
     */
    boolean isDrawnLast() {
        return compareTo(POWER_CUT) > 0;
    }

    /** Whether a simulation of this kind can have the fault. */
    boolean concerns(ScenarioKind kind) {
        return switch (this) {
            case STORE_CLOCK_BACK -> kind != ScenarioKind.CLOCKLESS;
            case POWER_CUT -> kind == ScenarioKind.FILE;
            case FORGET -> kind != ScenarioKind.SLOTS;
            case WORK_THROWS, ORDERLY_STOP, LEASES_AWAY -> kind == ScenarioKind.SLOTS;
            // The answers are compared with what the store has issued.
            case STORE_FAILOVER, STORE_RESTORE -> kind != ScenarioKind.CROWD;
            default -> true;
        };
    }

    /**
     * After these faults the store has broken its guarantees; those of the fences must still hold.
     */
    boolean losesStoreData() {
        return this == STORE_FAILOVER || this == STORE_RESTORE;
    }
}
