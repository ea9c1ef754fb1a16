package dev.leasehold.spring;

import dev.leasehold.AcquireResult;
import dev.leasehold.model.LeaseName;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Answers calls of leased methods while another machine has the lease. */
@FunctionalInterface
public interface BusyHandler {
    /** Returns what the caller of the method gets, or throws. */
    @Nullable
    Object onBusy(LeaseName name, AcquireResult.Busy busy, Method method, @Nullable Object[] arguments);
}
