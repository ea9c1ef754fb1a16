package dev.leasehold.events;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Grants of which no run is recorded, because only the command line records runs: they were held
 * from Java, with {@code acquire} or by an operator. The store knows how they ended.
 */
public final class UnrecordedRuns {
    private static final String DETAIL = "no command is recorded: held from Java, with 'acquire' or by an operator";

    private UnrecordedRuns() {}

    /**
     * The recorded entries and the unrecorded runs together, newest first.
     *
     * @param transfers newest first
     */
    public static List<RunEntry> among(
            List<RunEntry> recorded, List<Transfer> transfers, Optional<LeaseSnapshot> lease) {
        Set<FencingToken> known = new HashSet<>();
        for (RunEntry entry : recorded) {
            if (entry.isRun() && entry.token() != null) {
                known.add(entry.token());
            }
        }
        List<RunEntry> all = new ArrayList<>(recorded);
        for (int i = 0; i < transfers.size(); i++) {
            Transfer transfer = transfers.get(i);
            String end = i > 0 ? end(transfers.get(i - 1)) : now(lease);
            if (!end.isEmpty() && makesAnOwner(transfer) && !known.contains(transfer.token())) {
                all.add(new RunEntry(transfer.at(), end, transfer.token(), transfer.holder(), Duration.ZERO, DETAIL));
            }
        }
        all.sort(Comparator.comparing(RunEntry::at).reversed());
        return all;
    }

    /** Whether the transfer made somebody the owner, and did not only raise the token. */
    private static boolean makesAnOwner(Transfer transfer) {
        return transfer.reason() != TransferReason.CANCELLED && transfer.reason() != TransferReason.RECOVERED;
    }

    /** How the grant before this transfer ended. */
    private static String end(Transfer next) {
        return next.reason() == TransferReason.TAKEOVER
                ? "taken_over"
                : next.reason().word();
    }

    /** Empty for a lease that is held: its run may be recorded when it ends. */
    private static String now(Optional<LeaseSnapshot> lease) {
        return lease.map(LeaseSnapshot::state)
                .filter(state -> state != LeaseSnapshot.State.HELD)
                .map(LeaseSnapshot.State::word)
                .orElse("");
    }
}
