package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.events.LeasePages;
import dev.leasehold.internal.Nearest;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The leases that people see: all of the store except the forgotten ones. */
public final class LeaseList {
    private static final int MAX_SHOWN = 100_000;

    private final LeaseStore store;
    private final ForgottenNames forgotten;

    public LeaseList(LeaseStore store) {
        this.store = store;
        this.forgotten = new ForgottenNames(store.register());
    }

    /**
     * Adds what is wrong with each record that cannot be read to {@code damage}, and returns the
     * others.
     */
    public List<LeaseSnapshot> all(List<String> damage) {
        Set<String> candidates = forgotten.candidates();
        List<LeaseSnapshot> found = new ArrayList<>();
        LeasePages pages = new LeasePages(store, damage::add);
        while (pages.hasNext() && found.size() < MAX_SHOWN) {
            for (LeaseSnapshot lease : pages.next()) {
                String name = lease.lease().name().value();
                if (!candidates.contains(name) || forgotten.find(lease).isEmpty()) {
                    found.add(lease);
                }
            }
        }
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
            throw new UsageException("the store has no such lease: " + name + " was never held; nothing was changed"
                    + nearest(name, List.of()));
        }
        forgotten.find(lease.get()).ifPresent(gone -> {
            throw new UsageException(gone.words(name) + " Nothing was changed: nobody holds it. To use the name again,"
                    + " run 'leasehold acquire " + name + "' or 'leasehold run " + name + " -- COMMAND'");
        });
        return lease.get();
    }

    /**
     * Suggests a name that the user may have meant; an empty text if none is near.
     *
     * @param more names beside those of the leases
     */
    public String nearest(LeaseName name, Collection<String> more) {
        List<String> names = new ArrayList<>(more);
        all(new ArrayList<>()).forEach(known -> names.add(known.lease().name().value()));
        names.remove(name.value());
        return Nearest.suggestion(name.value(), names, "");
    }
}
