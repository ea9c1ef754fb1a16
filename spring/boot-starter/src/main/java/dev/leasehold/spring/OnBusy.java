package dev.leasehold.spring;

/** What happens to a call of a leased method while another machine has the lease. */
public enum OnBusy {
    /** As the class says, then as the configuration says, then {@link #SKIP}. */
    INHERITED,
    /** The method does not run. The caller gets null, or an empty {@code Optional}. */
    SKIP,
    /** The call waits for {@link Leased#waitFor()}, and then throws a {@link LeaseBusyException}. */
    WAIT,
    /** The call throws a {@link LeaseBusyException}. */
    THROW,
    /** The call returns what the {@link BusyHandler} bean returns. */
    HANDLE
}
