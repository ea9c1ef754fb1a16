package dev.leasehold.model;

import org.jspecify.annotations.Nullable;

/**
 * The name of what a lease protects: a job, a repository, a file tree. Names are flat and
 * case-sensitive.
 */
public record LeaseName(String value) implements Comparable<LeaseName> {
    public static final int MAX_LENGTH = 200;

    public LeaseName {
        Text.identifier("lease name", value, 1, MAX_LENGTH, "._:/@-");
    }

    public static LeaseName of(String value) {
        return new LeaseName(value);
    }

    // The methods that a record generates are linked at their first use, which costs a start of the
    // command line some 10 ms.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LeaseName name && value.equals(name.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public int compareTo(LeaseName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
