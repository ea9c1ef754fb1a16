package dev.leasehold.model;

import java.time.Duration;
import java.time.Instant;

/** Why a grant does not count any more. The first four are the store's words, the rest the holder's own judgement. */
public sealed interface Loss {
    /** One sentence for people. */
    String explanation();

    /** One word for scripts and counters. */
    String word();

    /** Somebody else owns the name now. */
    record Superseded(Transfer by) implements Loss {
        @Override
        public String explanation() {
            String note = by.note() == null ? "" : ", \"" + by.note() + "\"";
            return "superseded by token " + by.token() + " of " + by.holder() + " ("
                    + by.reason().word() + note + ")";
        }

        @Override
        public String word() {
            return "superseded";
        }
    }

    /** The deadline passed and nobody took the name yet. */
    record Lapsed(String detail) implements Loss {
        public static Lapsed atStore(Instant deadline) {
            return new Lapsed("the lease expired at " + deadline + ", nobody has taken it yet");
        }

        public static Lapsed unnoticed(Duration since, Duration trusted) {
            return new Lapsed("no renewal for " + DurationText.show(since) + ", longer than the trusted "
                    + DurationText.show(trusted) + "; this process or its store was paused");
        }

        @Override
        public String explanation() {
            return detail;
        }

        @Override
        public String word() {
            return "lapsed";
        }
    }

    /** The grant was given back. */
    record Released(Instant at) implements Loss {
        @Override
        public String explanation() {
            return "the lease was released at " + at;
        }

        @Override
        public String word() {
            return "released";
        }
    }

    /** The store does not know this grant, or knows the token under another attempt: it went back in time. */
    record Forgotten(String detail) implements Loss {
        public static Forgotten neverIssued(Grant grant) {
            return new Forgotten("the store has not issued " + grant);
        }

        @Override
        public String explanation() {
            return detail + ": the store lost records (failover, restore, another store?); see 'leasehold repair'";
        }

        @Override
        public String word() {
            return "forgotten";
        }
    }

    /** The store could not be asked while the grant was still trusted. */
    record Unreachable(String detail) implements Loss {
        @Override
        public String explanation() {
            return "the store could not be reached in time: " + detail;
        }

        @Override
        public String word() {
            return "unreachable";
        }
    }

    /** The work reported no progress within the time it was given. */
    record NoProgress(Duration since, Duration limit) implements Loss {
        @Override
        public String explanation() {
            return "no progress since " + DurationText.show(since) + " ago, the limit is " + DurationText.show(limit);
        }

        @Override
        public String word() {
            return "no-progress";
        }
    }
}
