package dev.leasehold.cli.args;

import org.jspecify.annotations.Nullable;

/** The names of a store that completion offers. The scripts get them from a command that is not in the help. */
public final class CompletedNames {
    public static final String COMMAND = "known-names";

    public static final String LEASES = "leases";
    public static final String JOBS = "jobs";
    public static final String KEYS = "keys";

    /** What the command takes. */
    public static final String KINDS = LEASES + "|" + JOBS + "|" + KEYS;

    private CompletedNames() {}

    /** The argument of the command for this kind of value; null if the store does not know its values. */
    static @Nullable String of(Kind kind) {
        return switch (kind) {
            case LEASE_NAME, LEASE_AND_FILE -> LEASES;
            case JOB_NAME -> JOBS;
            case WORK_KEY -> KEYS;
            default -> null;
        };
    }
}
