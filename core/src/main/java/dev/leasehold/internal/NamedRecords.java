package dev.leasehold.internal;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records of a register whose keys are a prefix and a name. A key that ends with something else is
 * left out: clients of a server may write keys of their own, and one of them must not hide the records
 * of all others.
 */
public final class NamedRecords {
    private final CasRegister register;
    private final String prefix;

    public NamedRecords(CasRegister register, String prefix) {
        this.register = register;
        this.prefix = prefix;
    }

    /** The names that sort after {@code after}, with the versions of their records, in order. */
    public Map<LeaseName, String> versions(String after, int limit) {
        Map<LeaseName, String> found = new LinkedHashMap<>();
        String last = prefix + after;
        int asked;
        Map<String, String> page;
        do {
            asked = limit - found.size();
            page = register.versions(prefix, last, asked);
            for (Map.Entry<String, String> entry : page.entrySet()) {
                last = entry.getKey();
                LeaseName name = nameIn(last);
                if (name != null) {
                    found.put(name, entry.getValue());
                }
            }
        } while (page.size() == asked && found.size() < limit);
        return found;
    }

    /** The names that sort after {@code after}, in order. */
    public List<LeaseName> names(String after, int limit) {
        return names("", after, limit);
    }

    /** The names that start with {@code start} and sort after {@code after}, in order. */
    public List<LeaseName> names(String start, String after, int limit) {
        List<LeaseName> found = new ArrayList<>();
        String last = prefix + after;
        int asked;
        List<String> page;
        do {
            asked = limit - found.size();
            page = register.keys(prefix + start, last, asked);
            for (String key : page) {
                last = key;
                LeaseName name = nameIn(key);
                if (name != null) {
                    found.add(name);
                }
            }
        } while (page.size() == asked && found.size() < limit);
        return found;
    }

    private @Nullable LeaseName nameIn(String key) {
        try {
            return LeaseName.of(key.substring(prefix.length()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
