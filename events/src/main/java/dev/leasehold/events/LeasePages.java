package dev.leasehold.events;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads the leases of a store, page by page. A record that cannot be read does not hide the others. */
public final class LeasePages {
    /** Small, so that the first lines of a list appear soon. */
    private static final int FIRST_PAGE = 100;

    private static final int PAGE = 1000;

    private final LeaseStore store;
    private final String prefix;
    private final Consumer<String> damaged;
    private String after = "";
    private int size = FIRST_PAGE;
    private boolean more = true;

    /** All leases. */
    public LeasePages(LeaseStore store, Consumer<String> damaged) {
        this(store, "", damaged);
    }

    /**
     * @param prefix how the names start
     * @param damaged is told of each record that cannot be read
     */
    public LeasePages(LeaseStore store, String prefix, Consumer<String> damaged) {
        this.store = store;
        this.prefix = prefix;
        this.damaged = damaged;
    }

    /** Whether there may be another page. */
    public boolean hasNext() {
        return more;
    }

    public List<LeaseSnapshot> next() {
        List<LeaseSnapshot> page = new ArrayList<>();
        more = read(size, page);
        size = PAGE;
        return page;
    }

    /**
     * Reads on after the last name, and returns whether there may be more. A page with a damaged record is read in halves: to
     * inspect all its leases one by one would take a call for each, and would be noted as if somebody waited for all of them.
     */
    private boolean read(int most, List<LeaseSnapshot> to) {
        try {
            List<LeaseSnapshot> page = store.list(prefix, after, most);
            to.addAll(page);
            after = page.isEmpty()
                    ? after
                    : page.get(page.size() - 1).lease().name().value();
            return page.size() == most;
        } catch (StoreCorruptException e) {
            int half = most / 2;
            return half == 0 ? skipDamaged(e) : read(half, to) && read(most - half, to);
        }
    }

    private boolean skipDamaged(StoreCorruptException e) {
        List<LeaseName> next = store.names(prefix, after, 1);
        for (LeaseName name : next) {
            damaged.accept("lease " + name + " is damaged: " + e.getMessage());
            after = name.value();
        }
        return !next.isEmpty();
    }
}
