package dev.leasehold.internal;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The records of a register whose keys are a prefix and a name. A key that ends with something else is
 * left out: clients of a server may write keys of their own, and one of them must not hide the records
 * of all others.
 */
public final class NamedRecords {
    private static final int PAGE = 500;

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

    /** All names, in order. A page is read when the one before it is used up. */
    public Iterable<LeaseName> all() {
        return Pages::new;
    }

    private final class Pages implements Iterator<LeaseName> {
        private Iterator<LeaseName> page = List.<LeaseName>of().iterator();
        private String last = "";
        private boolean more = true;

        @Override
        public boolean hasNext() {
            if (!page.hasNext() && more) {
                List<LeaseName> names = names(last, PAGE);
                more = names.size() == PAGE;
                page = names.iterator();
            }
            return page.hasNext();
        }

        @Override
        public LeaseName next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            LeaseName name = page.next();
            last = name.value();
            return name;
        }
    }

    private @Nullable LeaseName nameIn(String key) {
        try {
            return LeaseName.of(key.substring(prefix.length()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
