package dev.leasehold.testkit.nemesis;

/**
 * One line of a holder process. Times are those of the machine's monotonic clock, which all processes share.
 *
 * @param id of the write, or what went wrong; {@code -} where there is neither
 * @param began before the call whose outcome is told
 * @param wall what this process takes for the time of day, in milliseconds
 */
record Said(Word word, long token, String id, long began, long ended, long wall) {
    enum Word {
        /** It was granted the lease. */
        GRANTED,
        /** It has read the target and is thinking about what to write. */
        READ,
        /** It is about to write. */
        WRITING,
        /** Its write was acknowledged. */
        WROTE,
        /** Its write was refused, because the target had seen a higher token. */
        STALE,
        /** Whether its write took effect, it does not know. */
        UNKNOWN,
        /** It came too late even to raise the fence. */
        LATE,
        /** The lease is another's, or the store did not answer. */
        WAITING,
        /** Something that no fault excuses. */
        FAILED
    }

    static Said parse(String line) {
        String[] fields = line.split(" ", -1);
        return new Said(
                Word.valueOf(fields[0]),
                Long.parseLong(fields[1]),
                fields[2],
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]));
    }

    String line() {
        return word + " " + token + " " + id.replaceAll("\\s", "_") + " " + began + " " + ended + " " + wall + "\n";
    }
}
