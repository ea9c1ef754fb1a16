package dev.leasehold.cli.store;

import dev.leasehold.cli.child.Interruption;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.util.List;

/** Counts what a store has, by its names alone, so that a long command can show how much is left. */
final class StoreSize {
    private static final int PAGE = 1000;

    private StoreSize() {}

    /** @throws java.util.concurrent.CancellationException if the program is interrupted */
    static long leases(LeaseStore store, Interruption interruption) {
        long count = 0;
        String last = "";
        List<LeaseName> names;
        do {
            interruption.check();
            names = store.names("", last, PAGE);
            count += names.size();
            last = names.isEmpty() ? last : names.get(names.size() - 1).value();
        } while (names.size() == PAGE);
        return count;
    }

    /** @throws java.util.concurrent.CancellationException if the program is interrupted */
    static long records(LeaseStore store, Interruption interruption) {
        CasRegister register = store.register();
        long count = 0;
        String last = "";
        List<String> keys;
        do {
            interruption.check();
            keys = register.keys("", last, PAGE);
            count += keys.size();
            last = keys.isEmpty() ? last : keys.get(keys.size() - 1);
        } while (keys.size() == PAGE);
        return count;
    }
}
