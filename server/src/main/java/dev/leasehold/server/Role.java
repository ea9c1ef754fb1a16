package dev.leasehold.server;

import java.util.Locale;

/** What the owner of a key may do. Each role may do everything that those before it may. */
public enum Role {
    /** Look. */
    READER,
    /** Acquire leases and work under them. */
    HOLDER,
    /** Take leases from their holders, cancel them and repair their counters. */
    OPERATOR;

    /** The word that people and scripts use. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException if there is no such role */
    public static Role ofWord(String word) {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw new IllegalArgumentException("a role is one of reader, holder and operator");
    }

    boolean includes(Role other) {
        return compareTo(other) >= 0;
    }
}
