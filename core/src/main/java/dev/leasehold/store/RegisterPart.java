package dev.leasehold.store;

import dev.leasehold.spi.CasRegister;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a register in which a store is.
 *
 * @param name stands before every key of the store; empty for a store that was not moved here
 */
record RegisterPart(CasRegister register, String name) {
    static final String LEASES = "lease/";
    static final String FLOOR_KEY = "lease-floor";

    String placed(String key) {
        return name + key;
    }

    List<String> keys(String prefix, String after, int limit) {
        return new ArrayList<>(page(prefix, after, limit, (from, most) -> {
                    Map<String, String> found = new LinkedHashMap<>();
                    register.keys(placed(prefix), placed(from), most).forEach(key -> found.put(key, key));
                    return found;
                })
                .keySet());
    }

    Map<String, String> versions(String prefix, String after, int limit) {
        return page(prefix, after, limit, (from, most) -> register.versions(placed(prefix), placed(from), most));
    }

    Map<String, CasRegister.Reading> readings(String prefix, String after, int limit) {
        return page(prefix, after, limit, (from, most) -> register.readings(placed(prefix), placed(from), most));
    }

    /** Reads keys that sort after another one, at most so many. */
    private interface Pages<T> {
        Map<String, T> read(String after, int limit);
    }

    /** Without the keys of leases, unless these are asked for, and without what other moves have left. */
    private static boolean isAskedFor(String key, String prefix) {
        return prefix.startsWith(LEASES)
                || !(isOfLease(key)
                        || key.startsWith(PastTransfers.PREFIX)
                        || key.equals(CasPlace.ID_KEY)
                        || CasPlace.isInPart(key));
    }

    static boolean isOfLease(String key) {
        return key.startsWith(LEASES) || key.equals(FLOOR_KEY);
    }

    private <T> Map<String, T> page(String prefix, String after, int limit, Pages<T> pages) {
        Map<String, T> found = new LinkedHashMap<>();
        String last = after;
        boolean more = true;
        while (more && found.size() < limit) {
            int asked = limit - found.size();
            Map<String, T> page = pages.read(last, asked);
            for (Map.Entry<String, T> entry : page.entrySet()) {
                last = entry.getKey().substring(name.length());
                if (isAskedFor(last, prefix)) {
                    found.put(last, entry.getValue());
                }
            }
            more = page.size() == asked;
        }
        return found;
    }
}
