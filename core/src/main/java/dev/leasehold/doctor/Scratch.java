package dev.leasehold.doctor;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;

/** The names that an examination uses, and their removal. */
final class Scratch implements AutoCloseable {
    private final LeaseStore store;
    private final String prefix;
    private final List<LeaseName> names = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();

    Scratch(LeaseStore store, Ids ids) {
        this.store = store;
        this.prefix = LeaseStore.SCRATCH_PREFIX + ids.unique() + "/";
    }

    LeaseName name(String what) {
        LeaseName name = LeaseName.of(prefix + what);
        names.add(name);
        return name;
    }

    String key(String what) {
        String key = prefix + what;
        keys.add(key);
        return key;
    }

    /** Reports what could not be removed, because the user may find it later. */
    List<Finding> cleanUp() {
        List<Finding> left = new ArrayList<>();
        for (LeaseName name : names) {
            if (!store.eraseScratch(name) && store.inspect(name).isPresent()) {
                left.add(Finding.warning("the scratch lease " + name + " could not be removed; it is harmless"));
            }
        }
        for (String key : keys) {
            CasRegister.Reading reading = store.register().read(key);
            if (reading.value().isPresent() && !store.register().remove(key, reading.version())) {
                left.add(Finding.warning("the scratch record " + key + " could not be removed; it is harmless"));
            }
        }
        names.clear();
        keys.clear();
        return left;
    }

    @Override
    public void close() {
        cleanUp();
        store.close();
    }
}
