package dev.leasehold.doctor;

import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes the scratch names of examinations that were killed. Others may be under way, so young names stay, and their
 * keys.
 */
final class Leftovers {
    /** An examination takes minutes. The clock of the host that began it may be hours behind, where the store has none. */
    private static final Duration OLD = Duration.ofDays(1);

    private final LeaseStore store;
    private final int page;
    private int removed;

    Leftovers(LeaseStore store) {
        this(store, 1000);
    }

    /** @param page how many names are read at a time */
    Leftovers(LeaseStore store, int page) {
        this.store = store;
        this.page = page;
    }

    /** What was found out before is worth more than this, so a failure is a finding too. */
    List<Finding> remove() {
        try {
            // An examination makes its leases before its keys, so one that is under way and has keys is found below.
            List<String> keys = keys();
            removeKeys(keys, removeLeases());
        } catch (RuntimeException e) {
            return List.of(Finding.warning("scratch names of earlier examinations could not be removed: "
                    + e.getMessage() + "; they are harmless, and the next examination tries again"));
        }
        return removed == 0
                ? List.of()
                : List.of(Finding.good(
                        "removed " + removed + " scratch names of an earlier examination that was killed"));
    }

    /** The examinations that may be under way. */
    private Set<String> removeLeases() {
        Set<String> underWay = new HashSet<>();
        String after = "";
        for (List<LeaseSnapshot> some = leases(after); !some.isEmpty(); some = leases(after)) {
            for (LeaseSnapshot lease : some) {
                after = lease.lease().name().value();
                if (Duration.between(lease.lease().owner().at(), lease.readAt()).compareTo(OLD) < 0) {
                    underWay.add(examination(after));
                } else if (store.eraseScratch(lease.lease().name())) {
                    removed++;
                }
            }
        }
        return underWay;
    }

    private List<LeaseSnapshot> leases(String after) {
        return store.list(LeaseStore.SCRATCH_PREFIX, after, page);
    }

    private List<String> keys() {
        List<String> all = new ArrayList<>();
        String after = "";
        for (List<String> some = keys(after); !some.isEmpty(); some = keys(after)) {
            all.addAll(some);
            after = some.get(some.size() - 1);
        }
        return all;
    }

    private List<String> keys(String after) {
        return store.register().keys(LeaseStore.SCRATCH_PREFIX, after, page);
    }

    private void removeKeys(List<String> keys, Set<String> underWay) {
        for (String key : keys) {
            CasRegister.Reading reading = store.register().read(key);
            if (!underWay.contains(examination(key)) && store.register().remove(key, reading.version())) {
                removed++;
            }
        }
    }

    /** Its own part of the name. */
    private static String examination(String name) {
        int end = name.indexOf('/', LeaseStore.SCRATCH_PREFIX.length());
        return end < 0 ? name : name.substring(0, end);
    }
}
