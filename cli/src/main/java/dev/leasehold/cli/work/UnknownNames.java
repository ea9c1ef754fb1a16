package dev.leasehold.cli.work;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.operate.LeaseList;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a user may have meant if {@code work} finds no items. */
final class UnknownNames {
    private static final int PAGE = 500;
    private static final int MAX_PAGES = 20;

    private final LeaseStore store;
    private final WorkLedger ledger;

    UnknownNames(LeaseStore store, WorkLedger ledger) {
        this.store = store;
        this.ledger = ledger;
    }

    /**
     * Reports a name that has neither a lease nor items. Returns what to type if the user wrote the
     * name of a lease in place of a key; otherwise an empty text.
     */
    String report(Invocation invocation, @Nullable LeaseName name, @Nullable WorkKey key) {
        if (name == null) {
            return key == null ? "" : inPlaceOf(key);
        }
        if (!isKnown(name)) {
            String nearest = new LeaseList(store).nearest(name, namesOfItems());
            invocation.console().say("this store has no lease " + name + " and no work items of it" + nearest);
        }
        return "";
    }

    private String inPlaceOf(WorkKey key) {
        LeaseName name;
        try {
            name = LeaseName.of(key.value());
        } catch (IllegalArgumentException e) {
            return "";
        }
        return isKnown(name)
                ? ". " + name + " is the name of a lease: 'leasehold work --name " + name + "' lists its work items"
                : "";
    }

    private boolean isKnown(LeaseName name) {
        try {
            return store.inspect(name).isPresent() || !ledger.ids(name, null, 1).isEmpty();
        } catch (StoreCorruptException e) {
            return true;
        }
    }

    private Set<String> namesOfItems() {
        Set<String> names = new LinkedHashSet<>();
        WorkId after = null;
        for (int pages = 0; pages < MAX_PAGES; pages++) {
            List<WorkId> page = ledger.ids(null, after, PAGE);
            for (WorkId id : page) {
                names.add(id.name().value());
                after = id;
            }
            if (page.size() < PAGE) {
                break;
            }
        }
        return names;
    }
}
