package dev.leasehold.cli.targets;

import dev.leasehold.model.Grant;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;

/** Why an operator or supervisor took a lease from its holder, for the refusal that the holder gets. */
final class OperatorsReason {
    private OperatorsReason() {}

    /** Half a sentence; empty if no operator had a part in it. */
    static String of(LeaseStore store, Grant grant) {
        for (Transfer transfer : store.history(grant.name(), LeaseStore.HISTORY_KEPT)) {
            if (grant.token().isBelow(transfer.token()) && transfer.note() != null) {
                return "; " + transfer.reason().word() + " by " + transfer.holder() + ": \"" + transfer.note() + "\"";
            }
        }
        return "";
    }
}
