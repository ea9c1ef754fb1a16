package dev.leasehold.jdbc;

import dev.leasehold.internal.TransferText;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import java.util.List;

/**
 * Transfers as lines of text, newest first. Behind the kept transfers there may be a truncated
 * line.
 */
final class HistoryText {
    private HistoryText() {}

    static List<Transfer> parse(String text, int limit) {
        return text.lines()
                .limit(Math.min(limit, LeaseStore.HISTORY_KEPT))
                .map(TransferText::parse)
                .toList();
    }
}
