package dev.leasehold.work;

import dev.leasehold.model.LeaseName;

/**
 * A key under a lease name: the identity of a work item. The same key under two names is two items.
 *
 * @param name the name that the key belongs to; usually also the lease that is held, but a run that fell back to another
 *     lease works on the same item
 */
public record WorkId(LeaseName name, WorkKey key) {
    /** So that name, key and a prefix fit into one key of every register. */
    static final int MAX_LENGTH = 390;

    public WorkId {
        int length = name.value().length() + key.value().length();
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException("lease name and work key have " + length
                    + " characters together: at most " + MAX_LENGTH + " are allowed");
        }
    }

    public static WorkId of(String name, String key) {
        return new WorkId(LeaseName.of(name), WorkKey.of(key));
    }

    @Override
    public String toString() {
        return name + " " + key;
    }
}
