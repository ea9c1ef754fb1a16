package dev.leasehold.simulator;

import java.util.List;

/** The guards that make observed time safe in a store without a clock. */
final class ObservedTimeMutations {
    private static final String RECORDS = "ObservedRecords";
    private static final String OBSERVATIONS = "Observations";
    private static final String FILES = "ObservationFiles";
    private static final String READ = "StoredRecord stored = StoredRecord.of(key, register.read(key));";
    private static final String MINIMUM =
            "Math.min(later.monotonicNanos - monotonicNanos, later.sleepingNanos - sleepingNanos)";

    static final List<Mutation> ALL = List.of(
            new Mutation(
                            "an observation begins after the answer arrived",
                            RECORDS,
                            READ,
                            "observations.ask();\n" + READ)
                    .and(
                            OBSERVATIONS,
                            "    Instant hostTime() {",
                            "    private ClockReading asked = new ClockReading(0, 0);\n"
                                    + "    void ask() { asked = ticker.read(); }\n"
                                    + "    Instant hostTime() {")
                    .and(OBSERVATIONS, "firstSeen(record, version, now));", "firstSeen(record, version, asked));"),
            new Mutation(
                    "a new version is observed anew",
                    OBSERVATIONS,
                    "if (known.version.equals(version)) {",
                    "if (true) {"),
            new Mutation(
                    "only the version that was observed is replaced",
                    RECORDS,
                    "register.replace(key, reading.version(), dated)",
                    "register.replace(key, register.read(key).version(), dated)"),
            new Mutation(
                    "the clocks of hosts decide nothing",
                    RECORDS,
                    "if (term.isNegative() || term.isZero()) {",
                    "if (true) {"),
            new Mutation(
                    "an observer counts by the clock that moved less",
                    "ClockReading",
                    MINIMUM,
                    MINIMUM.replace("min", "max")),
            new Mutation(
                    "an observer waits for the whole ttl",
                    RECORDS,
                    "if (unchanged.compareTo(term) < 0) {",
                    "if (unchanged.compareTo(term.multipliedBy(9).dividedBy(10)) < 0) {"),
            new Mutation(
                    "a margin allows for observers whose clocks run fast",
                    "LeaseTerms",
                    "return ttl.minus(margin());",
                    "return ttl;"),
            new Mutation(
                    "an observation on disk counts for its version only",
                    FILES,
                    "&& fields.require(\"version\").equals(version)",
                    ""),
            new Mutation(
                    "an observation on disk counts by the clock of its host only",
                    FILES,
                    "&& fields.require(\"clock\").equals(clock)",
                    ""));

    private ObservedTimeMutations() {}
}
