package dev.leasehold.cli.work;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the work items of a store, page by page. An item that cannot be read does not hide the others. */
public final class WorkPages {
    /** Small, so that the first lines appear soon, and because an item can have 100 KB. */
    private static final int PAGE = 200;

    private final WorkLedger ledger;
    private final @Nullable LeaseName name;
    private final Consumer<String> damaged;
    private @Nullable WorkId after;
    private boolean more = true;

    /**
     * @param name null for all names
     * @param damaged is told of each item that cannot be read
     */
    public WorkPages(WorkLedger ledger, @Nullable LeaseName name, Consumer<String> damaged) {
        this.ledger = ledger;
        this.name = name;
        this.damaged = damaged;
    }

    /** Whether there may be another page. */
    public boolean hasNext() {
        return more;
    }

    public List<WorkItem> next() {
        try {
            List<WorkItem> page = ledger.list(name, after, PAGE);
            advance(page.stream().map(WorkItem::id).toList());
            return page;
        } catch (StoreCorruptException e) {
            List<WorkId> ids = ledger.ids(name, after, PAGE);
            List<WorkItem> page = new ArrayList<>();
            ids.forEach(id -> readable(ledger, id, damaged).ifPresent(page::add));
            advance(ids);
            return page;
        }
    }

    private void advance(List<WorkId> page) {
        more = page.size() == PAGE;
        after = page.isEmpty() ? after : page.get(page.size() - 1);
    }

    static Optional<WorkItem> readable(WorkLedger ledger, WorkId id, Consumer<String> damaged) {
        try {
            return ledger.find(id);
        } catch (StoreCorruptException e) {
            damaged.accept("work item " + id + " is damaged: " + e.getMessage());
            return Optional.empty();
        }
    }
}
