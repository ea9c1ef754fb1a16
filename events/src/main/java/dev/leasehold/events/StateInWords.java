package dev.leasehold.events;

import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a lease in sentences. Distinguishes a holder that is stuck from one that is gone.
 */
public final class StateInWords {
    private StateInWords() {}

    public static List<String> of(LeaseName name, Optional<LeaseSnapshot> snapshot) {
        if (snapshot.isEmpty()) {
            return List.of(name + " is free: it was never held in this store.");
        }
        return switch (snapshot.get().state()) {
            case HELD -> held(snapshot.get());
            case EXPIRED -> expired(snapshot.get());
            case RESTING ->
                List.of(name + " was released by " + owner(snapshot.get()) + " and stays taken for another "
                        + DurationText.show(snapshot.get().remaining()) + " (--min-hold).");
            case RELEASED -> free(snapshot.get());
        };
    }

    /**
     * The holder's health: working, alive (reports no progress), stuck, silent (its deadline has passed by the clock of the
     * host that looks, in a store without a clock), dead, or none if there is no holder.
     */
    public static String health(LeaseSnapshot snapshot) {
        return switch (snapshot.state()) {
            case HELD -> snapshot.isSilent() ? "silent" : aliveOrStuck(snapshot);
            case EXPIRED -> "dead";
            case RELEASED, RESTING -> "none";
        };
    }

    private static String aliveOrStuck(LeaseSnapshot snapshot) {
        return snapshot.lease().progress() == null ? "alive" : snapshot.isStuck() ? "stuck" : "working";
    }

    private static List<String> held(LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        Instant renewed = lease.deadline().minus(lease.term());
        List<String> lines = new ArrayList<>();
        lines.add(lease.name() + " is held by " + owner(snapshot) + " since "
                + RelativeTime.at(lease.owner().at()) + " ("
                + RelativeTime.ago(lease.owner().at(), snapshot.readAt()) + "), last renewed "
                + RelativeTime.ago(renewed, snapshot.readAt()) + ", " + DurationText.show(snapshot.remaining())
                + " left unless it is renewed.");
        lines.add(progress(snapshot));
        return lines;
    }

    private static String progress(LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        LeaseRecord.Progress progress = lease.progress();
        if (snapshot.isSilent()) {
            return "By the clock of the host that looks, the deadline has passed, so its holder is probably gone. The store has no"
                    + " clock: the lease is over when a host has seen it unchanged for "
                    + DurationText.show(lease.term()) + ". 'leasehold run " + lease.name() + " --wait "
                    + DurationText.show(twice(lease.term())) + " -- COMMAND' waits for that, and runs a command then.";
        }
        if (progress == null) {
            return "Its holder is alive. It reports no progress.";
        }
        String last = "last progress " + RelativeTime.ago(progress.at(), snapshot.readAt())
                + (progress.note() == null ? "" : ", \"" + progress.note() + "\"")
                + (progress.checkpoint() == null ? "" : ", checkpoint \"" + progress.checkpoint() + "\"");
        return snapshot.isStuck()
                ? "Its holder is alive but may be stuck: " + last + ". If it is, 'leasehold cancel " + lease.name()
                        + " --token " + lease.token()
                        + " --reason stuck' takes the lease from this holder only and leaves"
                        + " it free, and 'leasehold run " + lease.name() + " --take-over --token " + lease.token()
                        + " --reason stuck -- COMMAND' runs a command in its place."
                : "Its holder is alive and makes progress: " + last + ".";
    }

    /** In whole seconds, as people write them. */
    private static Duration twice(Duration term) {
        return Duration.ofSeconds(term.multipliedBy(2).plusMillis(999).toSeconds());
    }

    private static List<String> expired(LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        String why =
                "Its holder stopped renewing without a release: it crashed, is frozen, or cannot reach the store. If it"
                        + " comes back, a target that has seen a newer token refuses its writes.";
        return List.of(
                lease.name() + " is free: the lease of " + owner(snapshot) + " expired "
                        + RelativeTime.ago(lease.deadline(), snapshot.readAt()) + ".",
                why);
    }

    private static List<String> free(LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        Transfer owner = lease.owner();
        String when = RelativeTime.ago(lease.seen(), snapshot.readAt());
        String note = owner.note() == null ? "" : " (\"" + owner.note() + "\")";
        if (owner.reason() == TransferReason.CANCELLED) {
            return List.of(lease.name() + " is free: cancelled by " + owner(snapshot) + " " + when + note + ".");
        }
        if (owner.reason() == TransferReason.RECOVERED) {
            return List.of(
                    lease.name() + " is free: its token was raised by " + owner(snapshot) + " " + when + note + ".");
        }
        return List.of(lease.name() + " is free: released by " + owner(snapshot) + " " + when + ".");
    }

    private static String owner(LeaseSnapshot snapshot) {
        Transfer owner = snapshot.lease().owner();
        return owner.holder() + " (token " + owner.token() + ")";
    }
}
