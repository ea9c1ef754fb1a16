package dev.leasehold.testkit.nemesis;

/**
 * One line that a holder process prints. Times are those of the machine's monotonic clock, which
 * all processes share.
 *
 * @param id the id of the write or the error; {@code -} if there is neither
 * @param began the time before the call
 * @param wall the time of day that this process sees, in milliseconds
 */
record HolderReport(Kind kind, long token, String id, long began, long ended, long wall) {
    enum Kind {
        /** The holder was granted the lease. */
        GRANTED,
        /** It has read the target and waits before it writes. */
        READ,
        /** It is about to write. */
        WRITING,
        /** Its write was acknowledged. */
        WROTE,
        /** Its write was refused, because the target had seen a higher token. */
        STALE,
        /** The outcome of its write is unknown. */
        UNKNOWN,
        /** Its token was stale already when it raised the fence. */
        LATE,
        /** Another holder has the lease, or the store did not answer. */
        WAITING,
        /** An error that no fault explains. */
        FAILED
    }

    static HolderReport parse(String line) {
        String[] fields = line.split(" ", -1);
        return new HolderReport(
                Kind.valueOf(fields[0]),
                Long.parseLong(fields[1]),
                fields[2],
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]));
    }

    String line() {
        return kind + " " + token + " " + id.replaceAll("\\s", "_") + " " + began + " " + ended + " " + wall + "\n";
    }
}
