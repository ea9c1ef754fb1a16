package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.events.ForgottenNames;
import dev.leasehold.internal.Nearest;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Looks up the name of a lease that an operator typed. */
public final class LeaseList {
    private static final int PAGE = 5000;

    /** How many names are compared with a mistyped one. */
    private static final int MAX_NAMES = 100_000;

    private final LeaseStore store;

    public LeaseList(LeaseStore store) {
        this.store = store;
    }

    /**
     * The lease of a name that an operator typed.
     *
     * @throws UsageException if the store has no such lease: a mistyped name must not create one
     */
    public LeaseSnapshot existing(LeaseName name) {
        Optional<LeaseSnapshot> lease = store.inspect(name);
        if (lease.isPresent()) {
            return lease.get();
        }
        new ForgottenNames(store.register()).find(name).ifPresent(gone -> {
            throw new UsageException(gone.words() + " Nothing was changed: nobody holds it. To use the name again,"
                    + " run 'leasehold acquire " + name + "' or 'leasehold run " + name + " -- COMMAND'");
        });
        throw new UsageException("the store has no such lease: " + name
                + " was never held, or was forgotten; nothing was" + " changed" + nearest(name, List.of()));
    }

    /**
     * Suggests a name that the user may have meant; an empty text if none is near.
     *
     * @param more names beside those of the leases
     */
    public String nearest(LeaseName name, Collection<String> more) {
        List<String> names = new ArrayList<>(more);
        String after = "";
        List<LeaseName> page;
        do {
            page = store.names("", after, PAGE);
            for (LeaseName known : page) {
                after = known.value();
                names.add(after);
            }
        } while (page.size() == PAGE && names.size() < MAX_NAMES);
        names.remove(name.value());
        return Nearest.suggestion(name.value(), names, "");
    }
}
