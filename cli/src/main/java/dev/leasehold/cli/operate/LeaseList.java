package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.internal.Nearest;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The leases that people see: all of the store except the forgotten ones. */
public final class LeaseList {
    private static final int PAGE = 500;
    private static final int MAX_SHOWN = 100_000;

    private final LeaseStore store;
    private final ForgottenNames forgotten;

    public LeaseList(LeaseStore store) {
        this.store = store;
        this.forgotten = new ForgottenNames(store.register());
    }

    List<LeaseSnapshot> all() {
        Set<String> candidates = forgotten.candidates();
        List<LeaseSnapshot> found = new ArrayList<>();
        String after = "";
        List<LeaseSnapshot> page;
        do {
            page = store.list("", after, PAGE);
            for (LeaseSnapshot lease : page) {
                after = lease.lease().name().value();
                if (!candidates.contains(after) || forgotten.find(lease).isEmpty()) {
                    found.add(lease);
                }
            }
        } while (page.size() == PAGE && found.size() < MAX_SHOWN);
        return found;
    }

    /**
     * The lease of a name that an operator typed.
     *
     * @throws UsageException if the store has no such lease: a mistyped name must not create one
     */
    public LeaseSnapshot existing(LeaseName name) {
        Optional<LeaseSnapshot> lease = store.inspect(name);
        if (lease.isEmpty()) {
            List<String> names = new ArrayList<>();
            all().forEach(known -> names.add(known.lease().name().value()));
            throw new UsageException("the store has no such lease: " + name + " was never held; nothing was changed"
                    + Nearest.suggestion(name.value(), names, ""));
        }
        forgotten.find(lease.get()).ifPresent(gone -> {
            throw new UsageException(gone.words(name) + " Nothing was changed");
        });
        return lease.get();
    }
}
