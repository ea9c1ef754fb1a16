package dev.leasehold.work;

import dev.leasehold.model.LeaseName;

/**
 * The identity of a work item: a key and a lease name. The same key under two names is two items.
 *
 * @param name the name that the key belongs to. Usually it is also the name of the lease, but a run
 *     that fell back to another lease works on the same item
 */
public record WorkId(LeaseName name, WorkKey key) {
    /** Name, key and a prefix must fit into one register key. */
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
