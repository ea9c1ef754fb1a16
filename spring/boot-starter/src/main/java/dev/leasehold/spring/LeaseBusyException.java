package dev.leasehold.spring;

import dev.leasehold.model.LeaseName;

/** The leased method did not run. */
public final class LeaseBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient LeaseName name;

    public LeaseBusyException(LeaseName name, String why) {
        super("lease " + name + " was not acquired, and the method did not run: " + why);
        this.name = name;
    }

    public LeaseName name() {
        return name;
    }
}
