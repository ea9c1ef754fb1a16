package dev.leasehold.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Why a grant no longer counts. The first four come from the store, the others are the holder's own
 * judgement.
 */
public sealed interface Loss {
    /** One sentence for people. */
    String explanation();

    Kind kind();

    /**
     * Why a grant of a name without a record is over.
     *
     * @param floor the highest token of all forgotten names
     */
    static Loss ofUnknownName(Grant grant, long floor) {
        return grant.token().value() <= floor ? Lapsed.withItsName(grant) : Forgotten.neverIssued(grant);
    }

    /** The kinds of loss, and the words for them in scripts and counters. */
    enum Kind {
        SUPERSEDED,
        LAPSED,
        RELEASED,
        FORGOTTEN,
        UNREACHABLE,
        NO_PROGRESS;

        /** The word that people and scripts see, such as {@code no-progress}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** The name of its counter, such as {@code lost_no_progress}. */
        public String counter() {
            return "lost_" + name().toLowerCase(Locale.ROOT);
        }
    }

    /** Another holder owns the name now. */
    record Superseded(Transfer by) implements Loss {
        @Override
        public String explanation() {
            String note = by.note() == null ? "" : ", \"" + by.note() + "\"";
            return "superseded by token " + by.token() + " of " + by.holder() + " ("
                    + by.reason().word() + note + ")";
        }

        @Override
        public Kind kind() {
            return Kind.SUPERSEDED;
        }
    }

    /** The deadline passed, and no other holder has taken the name yet. */
    record Lapsed(String detail) implements Loss {
        public static Lapsed atStore(Instant deadline) {
            return new Lapsed("the lease expired at " + deadline + ", nobody has taken it yet");
        }

        /** Only free names are forgotten, so the lease was over before. */
        public static Lapsed withItsName(Grant grant) {
            return new Lapsed("the lease is over, and the store has forgotten the name " + grant.name());
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
        public Kind kind() {
            return Kind.LAPSED;
        }
    }

    /** The grant was given back. */
    record Released(Instant at) implements Loss {
        @Override
        public String explanation() {
            return "the lease was released at " + at;
        }

        @Override
        public Kind kind() {
            return Kind.RELEASED;
        }
    }

    /**
     * The store does not know this grant, or knows the token under another attempt: it has lost
     * records.
     */
    record Forgotten(String detail) implements Loss {
        public static Forgotten neverIssued(Grant grant) {
            return new Forgotten("the store has not issued " + grant);
        }

        @Override
        public String explanation() {
            return detail + ": the store lost records (failover, restore, another store?); see 'leasehold repair'";
        }

        @Override
        public Kind kind() {
            return Kind.FORGOTTEN;
        }
    }

    /** The store could not be reached while the grant was still trusted. */
    record Unreachable(String detail) implements Loss {
        @Override
        public String explanation() {
            return "the store could not be reached in time: " + detail;
        }

        @Override
        public Kind kind() {
            return Kind.UNREACHABLE;
        }
    }

    /** The work reported no progress within its limit. */
    record NoProgress(Duration since, Duration limit) implements Loss {
        @Override
        public String explanation() {
            return "no progress for " + DurationText.show(since) + ", the limit is " + DurationText.show(limit);
        }

        @Override
        public Kind kind() {
            return Kind.NO_PROGRESS;
        }
    }
}
