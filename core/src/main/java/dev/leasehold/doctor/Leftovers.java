package dev.leasehold.doctor;

import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Removes the scratch names of examinations that were killed. Others may be under way, so young names stay. */
final class Leftovers {
    private static final Duration OLD = Duration.ofHours(1);
    private static final int MOST = 1000;

    private final LeaseStore store;

    Leftovers(LeaseStore store) {
        this.store = store;
    }

    List<Finding> remove() {
        Set<String> underWay = new HashSet<>();
        int removed = 0;
        for (LeaseSnapshot lease : store.list(LeaseStore.SCRATCH_PREFIX, "", MOST)) {
            if (Duration.between(lease.lease().owner().at(), lease.readAt()).compareTo(OLD) < 0) {
                underWay.add(examination(lease.lease().name().value()));
            } else if (store.eraseScratch(lease.lease().name())) {
                removed++;
            }
        }
        for (String key : store.register().keys(LeaseStore.SCRATCH_PREFIX, "", MOST)) {
            CasRegister.Reading reading = store.register().read(key);
            if (!underWay.contains(examination(key)) && store.register().remove(key, reading.version())) {
                removed++;
            }
        }
        return removed == 0
                ? List.of()
                : List.of(Finding.good(
                        "removed " + removed + " scratch names of an earlier examination that was killed"));
    }

    /** Its own part of the name. */
    private static String examination(String name) {
        int end = name.indexOf('/', LeaseStore.SCRATCH_PREFIX.length());
        return end < 0 ? name : name.substring(0, end);
    }
}
