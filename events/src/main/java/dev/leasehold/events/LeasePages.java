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
        List<LeaseSnapshot> page;
        List<LeaseName> names;
        try {
            page = store.list(prefix, after, size);
            names = page.stream().map(lease -> lease.lease().name()).toList();
        } catch (StoreCorruptException e) {
            names = store.names(prefix, after, size);
            page = readable(names);
        }
        more = names.size() == size;
        size = PAGE;
        after = names.isEmpty() ? after : names.get(names.size() - 1).value();
        return page;
    }

    private List<LeaseSnapshot> readable(List<LeaseName> names) {
        List<LeaseSnapshot> readable = new ArrayList<>();
        for (LeaseName name : names) {
            try {
                store.inspect(name).ifPresent(readable::add);
            } catch (StoreCorruptException e) {
                damaged.accept("lease " + name + " is damaged: " + e.getMessage());
            }
        }
        return readable;
    }
}
