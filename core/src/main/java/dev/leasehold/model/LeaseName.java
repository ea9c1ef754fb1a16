package dev.leasehold.model;

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

    @Override
    public int compareTo(LeaseName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
